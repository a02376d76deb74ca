import{a as dt}from"./chunks/chunk-UYTTYSBF.js";import"./chunks/chunk-ALUGPYZC.js";import{a as pt,c as ut,d as ft,e as gt,f as xt,g as wt,h as vt}from"./chunks/chunk-E3QV744X.js";import{e as bt,f as yt,g as kt,j as Tt,n as Ct,o as St,p as S,q as zt,r as At,s as Mt,t as Lt,u as jt,v as qt}from"./chunks/chunk-KYRRNK3D.js";import{a as mt}from"./chunks/chunk-JJWSS6UI.js";import{b as g}from"./chunks/chunk-5X4B7PGS.js";import{a as f,d as L,f as ot,k as nt,m as rt,n as J}from"./chunks/chunk-OFQJ6KL3.js";import{a as y,c as ct}from"./chunks/chunk-EMUUJ3G7.js";import{a,b as x,c as v,d as w,e as at,f as d,g as ht,h as lt,i as Z,j as b,l as j}from"./chunks/chunk-Y4HQ7EP4.js";import{h as st,n as _}from"./chunks/chunk-OGI4ISBF.js";var z=class{constructor({summary:t,burst:e=2,wait:i=800}){this.#t=t,this.#s=e,this.#i=i,this.#e=a("div",{"aria-live":"polite","aria-atomic":"true"}),this.#n=a("div",{role:"alert","aria-atomic":"true"}),this.element=a("div",{class:"visually-hidden"},this.#e,this.#n)}#t;#s;#i;#e;#n;#o=[];#h="";#r="";#p=0;#d=null;#m=-1/0;message(t){this.#o.push(t),this.#r="",this.#u()}note(t){this.#h=t,this.#u()}typing(t){let e=performance.now();t||(this.#r=""),!(!t||e-this.#m<1e4||this.#o.length)&&(this.#m=e,this.#r=t,this.#u())}failure(t){this.#a(),this.#n.textContent="",this.#n.textContent=t}clear(){clearTimeout(this.#p),this.#p=0,this.#o=[],this.#h=this.#r=""}#a(){let{element:t}=this,e=this.#d??=t.parentNode;if(!e)return;let i=j(e),s=i??e;t.parentNode!==s&&(this.#e.textContent=this.#n.textContent="",s.append(t),i&&d(i,"close",()=>this.#a(),void 0,{once:!0}))}#u(){this.#a(),this.#p||=setTimeout(()=>{let t=this.#o,i=[...t.length>this.#s?[this.#t(t.length)]:t,this.#h,this.#r].filter(Boolean);i.length&&(this.#e.textContent=i.join(". ")),this.clear()},this.#i)}};var Bt=y(`${ct}
.field { display: grid; gap: var(--roost-space-1); }
.field > span, .label { font-size: var(--roost-size-1); color: var(--roost-text-2); font-weight: 500; }
.input {
  width: 100%; min-height: 44px; padding: 10px 12px; font-size: 16px; border-radius: var(--roost-radius);
  border: 1px solid var(--roost-line); background: var(--roost-surface); color: var(--roost-text);
}
.input::placeholder { color: var(--roost-text-2); opacity: 1; }
.input:focus-visible { outline-offset: -1px; }
.input[aria-invalid="true"] { border-color: var(--roost-danger); outline-color: var(--roost-danger); }
.check { display: flex; align-items: center; gap: var(--roost-space-3); min-height: 44px; cursor: pointer; }
.check input { width: 20px; height: 20px; margin: 0; flex: none; accent-color: var(--roost-accent); }
.error-text, .field > .error-text { color: var(--roost-danger); font-size: var(--roost-size-1); }
.hint { color: var(--roost-text-2); font-size: var(--roost-size-1); }

.avatar {
  --size: 36px; position: relative; flex: none; display: grid; place-items: center; overflow: hidden;
  width: var(--size); height: var(--size); border-radius: 50%; user-select: none;
  color: #fff; background: var(--tint, #4a5a57); font: 600 calc(var(--size) * .4)/1 var(--roost-font);
}
.avatar:has(> img) { background: none; color: transparent; }
.avatar img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.badge.muted { color: var(--roost-surface); background: var(--roost-text-2); }
.quiet-text { color: var(--roost-text-2); }
@keyframes roost-fade { from { opacity: 0; } }

.item {
  display: flex; align-items: center; gap: 12px; width: 100%; min-height: 44px; padding: 6px 12px;
  border-radius: 9px; overflow-wrap: anywhere;
}
.item > svg { color: var(--roost-text-2); }
.item.danger, .item.danger > svg { color: var(--roost-danger); }
.item > .grow { flex: 1; min-width: 0; }
.item[aria-disabled="true"] { opacity: .5; }
.item:focus-visible { outline-offset: -2px; }

.connection { display: flex; align-items: center; justify-content: center; gap: 8px; min-height: 36px; flex: none;
  padding: 6px 16px; text-align: center; font-size: var(--roost-size-1); font-weight: 500; color: var(--roost-text);
  background: var(--roost-mark); }
.connection .icon { width: 16px; height: 16px; }
.connection button { min-height: 36px; margin-block: -6px; padding: 0 8px; font-weight: 600; text-decoration: underline;
  white-space: nowrap; }
.toasts {
  position: absolute; inset-inline: 0; bottom: 16px; z-index: 9; display: grid; justify-items: center; gap: 8px;
  padding: 0 16px; pointer-events: none;
}
.toast {
  display: flex; align-items: center; gap: 4px; max-width: 480px; padding: 0 4px 0 16px; min-height: 48px;
  border-radius: var(--roost-radius); color: var(--roost-surface); background: var(--roost-text);
  box-shadow: var(--roost-shadow); pointer-events: auto; animation: roost-rise 160ms var(--roost-ease);
}
.toast > span { flex: 1; padding: 10px 0; overflow-wrap: anywhere; }
.toast button { color: inherit; }
.toast .button { background: none; text-decoration: underline; text-underline-offset: 3px; }

@media (forced-colors: active) {
  .button, .input, .badge, .toast, .avatar { border: 1px solid CanvasText; }
  .button.primary { border-width: 2px; }
  :focus-visible { outline-color: Highlight; }
  .icon-button[aria-pressed="true"] { outline: 2px solid Highlight; }
}
`);var[Xt,$t]=[6e3,2e4],C=class{constructor({closeLabel:t,live:e,field:i}){this.#t=t,this.#s=e,this.#i=i??(()=>this.#e?.querySelector(".composer")),this.element=a("div",{class:"toasts"})}#t;#s;#i;#e=null;#n=new ResizeObserver(()=>this.#o());show(t,{isFailure:e=!1,action:i}={}){for(let h of this.element.children)h.firstChild?.textContent===t&&h.remove();let s=0,o=()=>{clearTimeout(s),r.remove(),this.element.firstChild||this.#n.disconnect()},n=()=>{clearTimeout(s),(!e||!i)&&(s=setTimeout(o,e?$t:Xt))},r=a("div",{class:"toast",part:"toast",dir:"auto"},a("span",null,t),i&&a("button",{type:"button",class:"button",onclick:()=>{o(),i.run()}},i.label),a("button",{type:"button",class:"icon-button","aria-label":this.#t,onclick:o},g("close")));for(d(r,"pointerenter focusin",()=>clearTimeout(s)),d(r,"pointerleave focusout",n),this.element.append(r);this.element.children.length>3;)this.element.firstChild?.remove();return n(),this.#o(),e?this.#s?.failure(t):this.#s?.note(t),o}#o(){let{element:t}=this,e=this.#e??=t.parentNode;if(!e||!t.firstChild)return;let i=j(e,"dialog:modal:not(.menu)"),s=i??e;t.parentNode!==s&&(s.append(t),i&&d(i,"close",()=>this.#o(),void 0,{once:!0}));let o=i?i.querySelector("footer:not([hidden])"):this.#i(),n=o?.getBoundingClientRect(),r=t.offsetParent?.getBoundingClientRect().bottom??innerHeight;t.style.setProperty("bottom",`${n?.height?r-n.top+8:16}px`),o&&this.#n.observe(o)}};var Gt=1500,Q=({error:l,server:t})=>l?.name==="origin"&&!["null",t].includes(location.origin),q=class{constructor(t,e){this.#t=t,this.#s=e}#t;#s;element=a("div",{class:"connection",part:"connection",hidden:!0});draw=()=>{};watch(t,e){let i=!1;this.draw=()=>this.#i(t,i),d(t,"state",this.draw,e);let s=setTimeout(()=>{i=!0,this.draw()},Gt);d(e,"abort",()=>{clearTimeout(s),this.element.hidden=!0})}#i(t,e){let i=this.#s(),{element:s}=this,{state:o,error:n}=t,r={connecting:e?i("connection.connecting"):"",offline:i("connection.offline"),refused:Q(t)?"":f(n,i)}[o]??"",h=s.querySelector("span"),c=h?.textContent??"";c===r&&s.hidden===!r||(s.hidden=!r,h&&o==="offline"&&s.querySelector("button")?w(h,r):v(s,r&&[g(o==="refused"?"warning":"offline"),a("span",null,r),o==="offline"&&a("button",{type:"button",onclick:()=>this.#e(t)},i("connection.now"))]),!(!c&&!r)&&(o==="refused"?this.#t.failure(r):this.#t.note(r||i("connection.back"))))}#e(t){w(this.element.querySelector("span"),this.#s()("connection.connecting")),t.wake()}};function k({t:l},t,e,i){let s=l(t);return a("button",{type:"button",class:"icon-button","aria-label":s,title:s,onclick:i,onpointerdown:o=>o.preventDefault()},g(e))}var B=class{constructor(t,e){this.#t=t,this.#s=e}#t;#s;element=a("div",{class:"replying",hidden:!0});#i=null;get message(){return this.#i}show(t){let{t:e,client:i}=this.#t;this.#i=t,this.element.hidden=!t,v(this.element,t&&[ut(this.#t,t,t.senderID===i.user.userID),k(this.#t,"reply.cancel","close",this.#s)]),x(this.element,{role:"group","aria-label":t&&e("reply.to",{name:t.senderName??""})})}};var Dt=typeof MediaRecorder<"u"&&Boolean(navigator.mediaDevices),D=class{constructor(t,e,{onpart:i,onend:s}){this.element=k(t,"composer.record","microphone",()=>{this.#t??=new AbortController,qt(t,{bar:this.bar,line:e,signal:this.#t.signal,onpart:o=>{this.files=o,i()},onend:o=>{this.#t=null,s(o)}})}),d(t.signal,"abort",()=>this.#t?.abort())}bar=a("div",{class:"line recording",hidden:!0});files=[];#t=null};var Yt=200,E=class{constructor(t,{onsend:e,onleave:i}){let{t:s,signal:o}=t;this.#t=t,this.#s=e,this.#i=i,this.field=a("textarea",{class:"field-text",rows:"1",part:"field","aria-label":s("composer.label"),enterkeyhint:"send",autocapitalize:"sentences",autocomplete:"off"}),this.#e=a("div",{class:"grow-field"},this.field),this.#n=a("span",{class:"counter",hidden:!0}),this.#o=k(t,"composer.more","add",()=>this.#j()),this.#h=k(t,"composer.emoji","emoji",()=>this.#q()),this.#h.classList.add("emoji-button"),this.#r=k(t,"composer.send","send",()=>this.send()),this.#r.classList.add("primary"),this.#d=new B(t,()=>this.reply(null)),this.#m=a("div",{class:"scheduled",hidden:!0}),this.#l=a("div",{class:"line"},this.#o,this.#e,this.#h),this.#p=new D(t,this.#l,{onpart:()=>this.#v(),onend:u=>this.#B(u)}),this.#l.append(this.#p.element,this.#r),this.#x=a("p",{class:"note",hidden:!0}),this.#w=a("div",{class:"bar"},this.#m,this.#d.element,this.#l,this.#p.bar,this.#n),this.element=a("div",{class:"composer",part:"composer"},this.#w,this.#x),d(this.field,"input",()=>this.#C(),o),d(this.field,"keydown",u=>this.#M(u),o),d(this.field,"paste",u=>this.#L(u),o),d(this.field,"select click keyup",()=>this.#a?.update(this.#c,this.#f),o),d(this.field,"blur",()=>this.#a?.close(),o),d(o,"abort",()=>this.#u?.end()),this.update();let{text:n,mentions:r,replyTo:h,files:c}=t.conversation.draft;this.#f=r,this.#g=c,this.#d.show(h),this.#T(n),c.length&&this.#k()}#t;#s;#i;#e;#n;#o;#h;#r;#p;#d;#m;#a=null;#u=null;#g=[];#l;#x;#w;#c="";#f=[];#b={};focus(){this.#w.hidden||this.field.focus({preventScroll:!0})}update(){let{conversation:t,t:e}=this.#t,{isGone:i,channel:s,schedules:o,canWrite:n}=t;if(this.#b.canWrite!==n||this.#b.isGone!==i){let r=this.element.contains(b());this.#w.hidden=!n,this.#x.hidden=!0,n||jt(this.#t,this.#x),r&&!n&&this.#i()}this.#b.name!==s?.name&&(this.field.placeholder=s?.kind==="single"?e("composer.placeholderTo",{name:s.name}):e("composer.placeholder")),this.#b.schedules!==o&&(o.length||this.#b.schedules?.length)&&Lt(this.#t,this.#m),this.#b={canWrite:n,isGone:i,name:s?.name,schedules:o}}reply(t){this.#d.show(t),this.#v(),this.focus()}#v(){let t=[...this.#u?.files??this.#g,...this.#p.files],e=this.#d.message;this.#t.conversation.setDraft({text:this.#c,mentions:this.#f,replyTo:e,files:t})}async send(){let{conversation:t}=this.#t;if(this.#c.includes("@")&&!this.#a&&await this.#S().catch(()=>{}),this.#g.length&&!await this.#k())return;let e=this.#c,i=this.#d.message??void 0,s=/\S/.test(e);if(!t.canWrite||this.#z<0||!(s||this.#y))return;let o=s?this.#a?.written(e,this.#f)??this.#f:[];this.#y?this.#u?.send({text:s?e:"",mentions:o,replyTo:i}):t.send({text:e,mentions:o,replyTo:i}),this.#f=[],this.#T(""),this.#C(),this.reply(null),this.#s()}async addFiles(t){(await this.#k())?.add(t)}async#k(){try{let{Attachments:t}=await bt();this.#u||(this.#u=new t(this.#t,()=>{this.#A(),this.#v()}),this.#l.before(this.#u.element),this.#u.restore(this.#g),this.#g=[])}catch(t){this.#t.fail(t)}return this.#u}get#y(){return this.#u?.count??this.#g.length}async#S(){if(!(!this.#a&&!/[@:]/.test(this.#c))){if(!this.#a){let{MentionPopup:t}=await Tt();this.#a??=new t(this.#t,this.field,e=>{this.#f=e.mentions,this.#T(e.text,e.cursor),this.#C()}),this.#w.prepend(this.#a.element)}this.#a.update(this.#c,this.#f)}}get#z(){return(this.#t.client.limits?.textLength??8e3)-this.#c.length}#T(t,e=t.length){this.field.value=t,this.field.setSelectionRange(e,e),this.#c=t,this.#A()}#C(){let{conversation:t}=this.#t,e=this.field.value;this.#f=dt(this.#f,this.#c,e),this.#c=e,this.#v(),e?t.userIsTyping():t.userStoppedTyping(),this.#A(),this.#S().catch(()=>{})}#A(){let{t}=this.#t;this.#e.dataset.text=this.#c,this.field.dir=this.#c?"auto":t.dir;let e=this.#z,i=/\S/.test(this.#c)||this.#y>0;this.#r.disabled=!i||e<0,this.#p.element.hidden=i||!Dt,this.#r.hidden=!this.#p.element.hidden;let s=e<=Yt;this.#n.hidden=!s,s&&(w(this.#n,e<0?t("composer.tooLong",{count:-e}):t("composer.charactersLeft",{count:e})),this.#n.classList.toggle("is-near",e<=10),x(this.field,{"aria-invalid":e<0?"true":null}))}#M(t){t.isComposing||t.keyCode===229||(this.#a?.keyPressed(t)?(t.preventDefault(),t.stopPropagation()):t.key==="Enter"&&!t.shiftKey&&!t.altKey&&!t.ctrlKey&&!t.metaKey?(t.preventDefault(),this.send()):t.key==="Escape"&&this.#d.message?(t.preventDefault(),t.stopPropagation(),this.reply(null)):t.key==="ArrowUp"&&!this.#c&&!t.shiftKey&&(t.preventDefault(),this.#i()))}#L(t){let e=[...t.clipboardData?.files??[]];!e.length||t.clipboardData?.types.includes("text/plain")||(t.preventDefault(),this.addFiles(e))}#j(){Mt(this.#t,{anchor:this.#o,returnTo:this.field,text:this.#z<0||this.#y?"":this.#c,mentions:()=>this.#a?.written(this.#c,this.#f)??this.#f,pick:async t=>(await this.#k())?.pick(t),onsend:this.#s,onscheduled:()=>{this.#f=[],this.#T(""),this.#C()}})}#q(){let{selectionStart:t,selectionEnd:e}=this.field;At(this.#t,{anchor:this.#h,returnTo:this.field,onpick:i=>{this.field.setRangeText(i,t,e,"end"),this.#C()}})}#B(t){if(this.focus(),!t)return;let{file:e,...i}=t;this.#t.conversation.sendFile(e,{...i,replyTo:this.#d.message??void 0}),this.reply(null),this.#s()}};var I=class{constructor(t,{onBack:e,onDetails:i,ontitle:s,onleave:o}){this.#t=t,this.#s=s,this.#i=o;let{t:n}=t,r=(u,p,m)=>a("button",{type:"button",class:"icon-button","aria-label":n(u),title:n(u),onclick:m},g(p)),h=e&&r("back","back",e);h?.classList.add("back"),this.#e=i&&r("details","more",i);let c=a("div",{class:"about",onclick:i},this.#n,a("div",{class:"titles"},a("h2",{class:"ellipsis",id:"conversation-title"},this.#o),this.#h));c.classList.toggle("opens",Boolean(i)),this.element=a("header",{class:"conversation-header",part:"header"},h,c,a("slot",{name:"header"}),this.#e)}#t;#s;#i;#e;#n=a("span",{class:"header-avatar"});#o=a("bdi",null);#h=a("p",{class:"hint ellipsis"});#r="";draw(){let{conversation:t,client:e,t:i}=this.#t,{channel:s}=t,n=(s?.kind==="self"?i("kind.self"):s?.name)??(this.#o.textContent||(t.isBanned?t.id:"")),r=s?.memberCount??0,h=s&&st(e,s),c=JSON.stringify([n,r,s?.kind,h]),u=this.#e;if(u&&u.hidden!==!s&&(b()===u&&this.#i(),u.hidden=!s),c===this.#r)return;this.#r=c,w(this.#o,n),this.#s(n),u&&x(u,{"aria-label":i("conversation.details",{title:n})});let p=s?{single:"",self:"",open:i("count.here",{count:r}),group:i("count.members",{count:r})}[s.kind]??i("count.subscribers",{count:r}):"";w(this.#h,p),this.#h.hidden=!p,h&&v(this.#n,mt({...h,name:n},{size:36,resolve:m=>e.imageURL(m)}))}};var R=class{constructor(t){this.#t=t;let{client:e,conversation:i,live:s,signal:o,t:n}=t;d(e,"message",({detail:{channel:r,message:h,isOwn:c}})=>{if(r!==i.id||c||pt(t,h))return;let u=h.senderName??n("announcement");s.message(n("announce.message",{name:u,text:ot(h,n)}))},o)}#t;#s=new Set;update(){let{conversation:t,live:e,t:i}=this.#t,{items:s,typing:o}=t;o.length&&e.typing(L(o,i));for(let n=s.length-1;n>=0;n-=1){let r=s[n];if(r.kind==="message"){if(r.state==="sent")break;r.state!=="failed"?this.#s.delete(r.key):this.#s.has(r.key)||(this.#s.add(r.key),e.failure(r.error?i("state.failedWhy",{reason:f(r.error,i)}):i("announce.notSent")))}}}};var F=class{constructor(t){this.#t=t}#t;element=a("div",{class:"empty",hidden:!0});draw(){let{conversation:t,t:e}=this.#t,{items:i,isLoading:s,hasLoaded:o,hasBefore:n,error:r}=t,h=i.length?"":r&&(!o||n)?"error":o&&!s&&!n?"empty":"loading";this.element.dataset.state!==h&&(this.element.dataset.state=h,this.element.hidden=!h,v(this.element,h==="loading"&&[a("span",{class:"spinner"}),a("span",{class:"visually-hidden"},e("loading"))],h==="empty"&&a("slot",{name:"empty"},a("p",null,e("conversation.empty"))),h==="error"&&[!t.isBanned&&a("p",null,f(r,e)),!t.isGone&&a("button",{type:"button",class:"button",onclick:()=>t.refresh()},e("retry"))]))}};var Et=1600,H=class{constructor({conversation:t,t:e,signal:i},s,o){this.#t=t,this.#s=s,this.#i=i,this.#e=o,this.element=a("div",{class:"page-loading",hidden:!0},a("span",{class:"spinner"}),a("span",{class:"visually-hidden"},e("conversation.loadingOlder")))}#t;#s;#i;#e;#n=!1;draw(){this.element.hidden=!this.#n||!this.#t.items.length}async check(){let t=this.#t;if(this.#n||!t.hasLoaded||this.#i.aborted)return;let{above:e,below:i}=this.#s,s=t.hasBefore&&e<Et;if(!s&&!(t.hasAfter&&i<Et))return;this.#n=!0;let{items:o}=t;this.draw(),await(s?t.loadBefore():t.loadAfter()),this.#n=!1,this.draw(),t.items!==o&&!this.#i.aborted&&this.#e()}};var O=new WeakMap,K=class{constructor(t,e){this.#t=t,this.#s=e}#t;#s;#i=null;get kept(){return O.get(this.#t)}resume({offset:t,seen:e},i){this.#i=e,this.#s.goTo(i,t)}keep(){let{place:t}=this.#s;this.#i&&(t?O.set(this.#t,{...t,seen:this.#i}):O.delete(this.#t))}forget(){O.delete(this.#t)}see(){let{channel:t,separator:e}=this.#t;if(!t||(this.#i??=e===null?{seq:t.seq,count:t.count}:{seq:e,count:t.count-(t.unread??0)},document.visibilityState!=="visible"))return;let{items:i,isFollowing:s,visible:o}=this.#s,n=s?i.length-1:i.lastIndexOf(o[1]);for(;n>=0;n-=1){let r=i[n],{seq:h=0,count:c=this.#i.count}=r.kind==="message"?(r.parts?.at(-1)??r).message:{};if(h){h>this.#i.seq&&(this.#i={seq:h,count:c});return}}}get newCount(){let{items:t,hasAfter:e,channel:i}=this.#t,s=this.#i;if(!s||!i)return 0;if(e)return Math.max(0,i.count-s.count);let o=0;for(let n=t.length-1;n>=0;n-=1){let r=t[n];if(r.kind==="message"){if((r.message.seq??1/0)<=s.seq)break;!r.isOwn&&!r.message.recall&&(o+=1)}}return o}};var _t=450,Jt=8;function P(l,t,e){let i=t.itemAt(e);return i?.kind!=="message"?null:l.extras?.partAt(e,i)??i}var N=l=>l.closest("[data-key]");function It(l,t){Zt(l,t),d(t.rows,"keydown",e=>{if(!(e.ctrlKey||e.metaKey||e.altKey)){if(e.key==="Escape")l.focusComposer();else if(e.key==="r"&&e.target===N(e.target)){let i=P(l,t,e.target);if(!i?.message.messageID||i.message.recall||!l.conversation.canWrite)return;e.preventDefault(),l.reply(i.message)}}},l.signal)}function Zt(l,t){let{signal:e,conversation:i}=l,{rows:s}=t,o=p=>p.closest("a, button, input, label, video, .media, .avatar-column"),n=0,[r,h]=[0,0],c=!1,u=!1;d(s,"pointerdown",p=>{[r,h,c,u]=[p.clientX,p.clientY,!1,!1],clearTimeout(n);let m=P(l,t,p.target);p.pointerType==="mouse"||!m||p.target.closest("input, .progress")||(n=setTimeout(()=>{u=!0,ht(),S(l,m,{point:{x:r,y:h},returnTo:N(p.target)})},_t))},e),d(s,"pointermove",p=>{Math.hypot(p.clientX-r,p.clientY-h)<Jt||(c=!0,clearTimeout(n))},e,{passive:!0}),d(s,"pointerup pointercancel pointerleave",()=>clearTimeout(n),e),d(s,"click",p=>{let m=P(l,t,p.target);if(!m)return;let T=p.target.closest("[data-more]");T?S(l,m,{anchor:T,returnTo:p.detail?N(T):T}):i.channel?.kind==="open"&&!c&&!o(p.target)&&xt(m)&&zt(l,m.message)},e),d(s,"contextmenu",p=>{let m=P(l,t,p.target),T=getSelection(),Ut=T&&!T.isCollapsed&&p.button===2;if(!m||Ut||p.target.closest("a, video")||(p.preventDefault(),clearTimeout(n),u))return;let it=N(p.target),Vt=p.button!==2&&p.pointerType!=="touch"?{anchor:it.querySelector(".bubble")}:{point:{x:p.clientX,y:p.clientY}};S(l,m,{...Vt,returnTo:it})},e)}var A=l=>l.kind==="message"||l.kind==="line",M=l=>l.closest?.("[data-key]")?.dataset.key??"",W=class{constructor(t,{onopen:e,signal:i}){this.#t=t,this.#s=e,d(t.rows,"keydown",s=>this.#h(s),i),d(t.rows,"focusin",s=>this.#n(M(s.target)),i)}#t;#s;#i="";#e=!1;update(){let{items:t}=this.#t;if(!(this.#e&&t.some(e=>e.key===this.#i))){this.#e=!1;for(let e=t.length-1;e>=0;e-=1)if(A(t[e])){this.#i=t[e].key;break}}}mark(t){let e=M(t)===this.#i?0:-1;t.hasAttribute("tabindex")&&(t.tabIndex=e);for(let i of t.querySelectorAll("a, button, input, audio, video"))i.tabIndex=e}focus(){let t=this.#t.items.findIndex(e=>e.key===this.#i);return t>=0&&this.#o(t),t>=0}#n(t){if(!t||t===this.#i)return;let e=[this.#t.row(this.#i),this.#t.row(t)];this.#i=t,this.#e=!0;for(let i of e)i&&this.mark(i)}#o(t){let{key:e}=this.#t.items[t],i=this.#t.row(e)??this.#t.goTo(t,"center");i&&(this.#n(e),i.focus({preventScroll:!0}),i.scrollIntoView({block:"nearest"}))}#h(t){let e=t.target;if(t.altKey||t.ctrlKey||t.metaKey||e.matches("input, textarea"))return;let{items:i}=this.#t,s=this.#t.itemAt(e);if(!s)return;let{key:o}=t;if("key"in e.dataset&&(o==="Enter"||o===" ")){t.preventDefault(),this.#s(e,s);return}let n=i.indexOf(s),r=i.length-1,h=o==="ArrowUp"||o==="End"?-1:1,c={ArrowUp:n-1,ArrowDown:n+1,Home:0,End:r}[o];if(c!==void 0){for(t.preventDefault();i[c]&&!A(i[c]);)c+=h;i[c]&&this.#o(c)}}};var U=class{#t=[];#s=[0];get count(){return this.#t.length}get total(){return this.top(this.count)}at(t){return this.#t[t]}splice(t,e,i){let s=t===this.count&&!e;if(this.#t.splice(t,e,...i),s)for(let o=t;o<this.count;o+=1)this.#i(o);else this.#e()}set(t,e){let i=e-this.#t[t];if(!i)return 0;this.#t[t]=e;for(let s=t+1;s<=this.count;s+=s&-s)this.#s[s]+=i;return i}top(t){let e=0;for(let i=t;i>0;i-=i&-i)e+=this.#s[i];return e}find(t){let e=0,i=t,s=1;for(;s*2<=this.count;)s*=2;for(;s;s=Math.floor(s/2))e+s<=this.count&&this.#s[e+s]<=i&&(e+=s,i-=this.#s[e]);return Math.max(0,Math.min(e,this.count-1))}#i(t){let e=t+1,i=this.#t[t];for(let s=e-1,o=e-(e&-e);s>o;s-=s&-s)i+=this.#s[s];this.#s[e]=i}#e(){this.#s.length=1;for(let t=0;t<this.count;t+=1)this.#i(t)}};function Rt(l,t){let e=Math.min(l.length,t.length),i=(n,r)=>n===r||n.key===r.key,s=0;for(;s<e&&i(l[s],t[s]);)s+=1;let o=0;for(;o<e-s&&i(l[l.length-1-o],t[t.length-1-o]);)o+=1;return{index:s,removed:l.length-s-o,inserted:t.length-s-o}}function tt(l,{top:t,height:e,margin:i,most:s}){if(!l.count)return{start:0,end:0};let o=l.find(t-i),n=l.find(t+e+i)+1;if(n-o>s){let r=l.find(t+e/2);o=Math.max(o,r-Math.floor(s/2)),n=Math.min(n,o+s)}return{start:o,end:n}}function Ft({top:l,height:t,total:e}){return e-l-t<=80}var Ht=12,V=class{constructor(t){this.#t=t}#t;items=[];viewHeight=0;#s={index:0,offset:0};#i=!0;#e=!0;#n=!1;get isFollowing(){return this.#e}get total(){return this.#t.total+Ht}get top(){let t=Math.max(0,this.total-this.viewHeight);return this.#i?t:Math.max(0,Math.min(t,this.#t.top(this.#s.index)-this.#s.offset))}get bottom(){return this.top+this.viewHeight-Ht}get place(){let{index:t,offset:e}=this.#s;for(let i=t;!this.#e&&i<this.items.length;i+=1){let s=this.items[i],o=s.kind==="message"&&s.message.messageID;if(o)return{messageID:o,offset:e+this.#t.top(i)-this.#t.top(t)}}return null}follow(){this.#e=this.#i=!0}hold(t,e){this.#e=this.#i=!1,this.#s={index:t,offset:e}}setMore(t){t&&!this.#n&&this.take(this.top),this.#n=t,t&&(this.#e=this.#i=!1)}take(t){let e={top:t,height:this.viewHeight,total:this.total};this.#e=!this.#n&&Ft(e),this.#i=this.#e&&e.total-t-e.height<2;let{count:i}=this.#t,s=this.#t.find(t),o=this.items.findIndex(A),n=s,r=()=>A(this.items[n])&&n!==o&&this.#t.top(n)>=t;for(;n<i&&!r();)n+=1;if(n===i||this.#t.top(n)>=t+this.viewHeight)for(n=s;n<i-1&&!A(this.items[n]);)n+=1;this.#s={index:n,offset:this.#t.top(n)-t}}splice(t,{index:e,removed:i,inserted:s}){this.#e&&e+s===t.length&&(this.#i=!0);let o=this.items,{index:n}=this.#s;if(n<e)return;if(n>=e+i){this.#s.index=n+s-i;return}let r=new Map;for(let h=e;h<e+s;h+=1)r.set(t[h].key,h);for(let h=n;h<e+i;h+=1){let c=r.get(o[h].key);if(c!==void 0){this.#s.index=c;return}}this.#s.index=Math.max(0,Math.min(e+s,t.length-1))}};var Ot=600,Kt=240,X=class{constructor(t){this.#t=t,this.rows=a("div",{class:"rows",role:"list","aria-label":t.label,part:"timeline"}),this.element=a("div",{class:"scroller",tabindex:"-1"},this.rows);let{signal:e}=t;d(this.element,"scroll",()=>this.#c(),e,{passive:!0}),this.#n=new W(this,t);let i=new ResizeObserver(s=>this.#w(s));i.observe(this.element),this.#s=i,d(e,"abort",()=>i.disconnect())}#t;#s;#i=new U;#e=new V(this.#i);#n;#o=0;#h=0;#r=new Map;#p=!1;#d=!1;get items(){return this.#e.items}get visible(){let{top:t,bottom:e}=this.#e;return[t,e].map(i=>this.items[this.#i.find(i)])}get whole(){let{top:t,viewHeight:e}=this.#e,i=this.#i.find(t+e),s=this.#i.top(i+1)<=t+e;return this.items.slice(this.#i.find(t),s?i+1:i)}get place(){return this.#e.place}get isFollowing(){return this.#e.isFollowing}get above(){return this.#e.top}get below(){let{total:t,top:e,viewHeight:i}=this.#e;return Math.max(0,t-e-i)}setItems(t,e){let i=this.items;if(this.#e.setMore(e),t===i)return;let{index:s,removed:o,inserted:n}=Rt(i,t);if(o||n){let r=new Map;for(let c=s;c<s+o;c+=1)r.set(i[c].key,this.#i.at(c));let h=t.slice(s,s+n).map(c=>r.get(c.key)??this.#t.estimate(c));this.#i.splice(s,o,h),this.#e.splice(t,{index:s,removed:o,inserted:n})}this.#e.items=t,this.#n.update(),this.#a(!0)}goToEnd(){this.#e.follow(),this.#a(),this.#t.onposition()}goTo(t,e){if(!this.items[t])return null;let i=this.#m(),s=typeof e=="number"?e:e==="top"?Math.min(96,i/5):Math.max(24,(i-this.#i.at(t))/2);return this.#e.hold(t,s),this.#a(),this.#e.take(this.#e.top),this.#t.onposition(),this.row(this.items[t].key)}row(t){for(let e of this.rows.children)if(M(e)===t)return e;return null}itemAt(t){let e=t.closest("[data-key]"),i=e?this.#r.get(e):void 0;return i===void 0?null:this.items[i]}refresh(){for(let[t,e]of this.#r){let i=this.items[e];this.#g(t,i,i)}this.#x([...this.#r.keys()]),this.#a()}drawWhole(t){this.#d=t,this.#a(!0)}focus(){this.#n.focus()||this.element.focus({preventScroll:!0})}#m(){return this.#e.viewHeight||=this.element.clientHeight}#a(t=!1){let e=t,i=this.#m();for(let o=0;o<4;o+=1){let n={top:this.#e.top,height:i,margin:Ot,most:Kt},{start:r,end:h}=this.#d?{start:0,end:this.#i.count}:tt(this.#i,n);if(!e&&r===this.#o&&h===this.#h)break;e=!1,this.#u(r,h)}this.#p=!0;let{top:s}=this.#e;Math.abs(this.element.scrollTop-s)>.4&&(this.element.scrollTop=s)}#u(t,e){let i=b(),s=i&&this.rows.contains(i)?M(i):"",o=this.items.slice(t,e);s&&!o.some(c=>c.key===s)&&this.element.focus({preventScroll:!0});let n=[];at(this.rows,o,c=>c.key,c=>{let u=this.#t.makeRow(c);return u.dataset.key=c.key,this.#s.observe(u),n.push(u),this.#n.mark(u),u},(c,u,p)=>{this.#g(c,u,p),n.push(c)});let r=this.#r;this.#r=new Map;let h=t;for(let c of this.rows.children)this.#r.set(c,h),r.delete(c),h+=1;for(let c of r.keys())this.#s.unobserve(c);this.#o=t,this.#h=e,this.#x(n),this.#l()}#g(t,e,i){let s=t.contains(b());this.#t.updateRow(t,e,i),this.#n.mark(t),s&&!t.contains(b())&&t.focus({preventScroll:!0})}#l(){let{style:t}=this.rows;t.paddingTop=`${this.#i.top(this.#o)}px`,t.paddingBottom=`${this.#e.total-this.#i.top(this.#h)}px`}#x(t){let e=t.map(i=>i.getBoundingClientRect().height);t.forEach((i,s)=>{let o=this.#r.get(i);o!==void 0&&e[s]&&this.#i.set(o,e[s])})}#w(t){if(this.#d)return;let e=!1;for(let{target:i,borderBoxSize:s}of t){let o=s[0].blockSize,n=this.#r.get(i);i===this.element?(e||=Math.abs(this.#e.viewHeight-o)>.1,this.#e.viewHeight=o):n!==void 0&&o&&Math.abs(this.#i.at(n)-o)>.1&&(this.#i.set(n,o),e=!0)}e&&(this.#l(),this.#a(),this.#t.onposition())}#c(){let t=this.#m();if(!t||this.#d)return;let{scrollTop:e}=this.element;if(!this.#p||Math.abs(e-this.#e.top)>1){this.#e.take(Math.max(0,e));let{start:i,end:s}=tt(this.#i,{top:e,height:t,margin:Ot/2,most:Kt});(i<this.#o||s>this.#h)&&this.#a()}this.#p=!1,this.#t.onposition()}};var Qt=5,$=class{constructor(t,e,i,s={}){let{signal:o}=this.#t;this.#s=s.live??new z({summary:n=>i("announce.messages",{count:n})}),this.#i=s.toasts??new C({closeLabel:i("close"),live:this.#s}),this.element=a("div",{class:"conversation",part:"conversation",lang:i.lang,dir:i.dir,role:"region","aria-labelledby":"conversation-title"}),this.#e={client:t,conversation:e,t:i,times:nt(i,s.timeZone),signal:o,root:this.element,toasts:this.#i,live:this.#s,fail:n=>void this.#i.show(f(n,i),{isFailure:!0}),start:n=>this.#L(n),jump:n=>this.#A(n),reply:n=>this.composer.reply(n),copy:n=>this.#M(n),focusComposer:()=>this.composer.focus(),openedAt:Date.now()},this.#n=s,this.#o=new X({label:i("conversation.messages"),makeRow:n=>{let r=wt(this.#e,n);return this.#e.extras?.mark(r,n),r},updateRow:(n,r,h)=>{vt(this.#e,n,r,h),this.#e.extras?.mark(n,r)},estimate:gt,onposition:()=>this.#T(),onopen:(n,r)=>r.kind==="message"&&S(this.#e,r,{anchor:n.querySelector(".bubble"),returnTo:n}),signal:o}),this.composer=new E(this.#e,{onsend:()=>this.#C(),onleave:()=>this.#o.focus()}),this.#r=new I(this.#e,{onBack:s.onBack,onDetails:s.onDetails,onleave:()=>this.focus(),ontitle:n=>this.#o.rows.setAttribute("aria-label",i("conversation.messagesWith",{title:n}))}),this.#p=new F(this.#e),this.#d=new H(this.#e,this.#o,()=>this.#v()),this.#m=new R(this.#e),this.#h=new K(e,this.#o),this.element.append(this.#r.element,a("div",{class:"timeline"},this.#o.element,this.#p.element,this.#d.element),this.#a,this.composer.element),s.live||this.element.append(this.#s.element),s.toasts||this.element.append(this.#i.element),It(this.#e,this.#o),this.#f()}#t=new AbortController;#s;#i;#e;#n;#o;#h;#r;#p;#d;#m;#a=a("p",{class:"typing ellipsis","aria-hidden":"true"});#u=null;#g=null;#l=!1;#x=!1;#w=!0;#c="";async open(){let{conversation:t,signal:e}=this.#e,i=t.open();this.#v(),St(this.#e.client),await i;let s=()=>this.#w&&!e.aborted;if(s()){let{kept:o}=this.#h;if(o)await t.loadAround(o.messageID,s).catch(()=>{});else for(let n=0;n<Qt&&s()&&this.#z;n+=1)await t.loadBefore()}this.#w=!1,e.aborted||this.#v()}close(){let{signal:t}=this.#t;t.aborted||(this.#l&&this.#h.keep(),this.#e.conversation.close(),this.#t.abort(),this.#s.clear(),Ct(),this.element.remove())}focus(){this.#e.conversation.canWrite?this.composer.focus():this.#o.focus()}#f(){let{client:t,conversation:e,signal:i}=this.#e,s=lt(()=>this.#v(),i);d(e,"change",()=>{this.#b()?this.#v():s()},i),d(t,"blocked",()=>{this.#o.refresh(),s()},i),d(t,"state",s,i),d(document,"visibilitychange",()=>{this.#u?.check(),document.visibilityState==="visible"&&this.#T()},i),kt().then(({Extras:o,JumpButton:n,ReadMarker:r})=>{i.aborted||(this.#u=new r(this.#e,this.#o,()=>this.#l&&!this.#w&&!this.#z),this.#g=new n(this.#e,this.#o,this.#h,()=>this.#C(!0)),this.#e.extras=new o(this.#e,this.#o,ft),this.#v())},()=>{}),yt().then(({watchDrops:o})=>o(this.#e,this.element,this.composer),()=>{})}#b(){let t=this.#e.conversation.items.at(-1);return t?.kind==="message"&&t.state!=="sent"&&t.key!==this.#c}#v(){let{conversation:t,t:e}=this.#e,{items:i,hasLoaded:s,channel:o,typing:n}=t;this.element.classList.toggle("single",o?.kind==="single"),this.#r.draw(),w(this.#a,L(n,e)),this.#c=i.at(-1)?.key??"",this.#y(),this.#k(this.#o.items,s),this.#p.draw(),this.#d.draw(),this.#m.update(),this.composer.update(),this.#T()}#k(t,e){if(!t.length||!this.element.isConnected)return;let i=!this.#l&&this.#h.kept,s=i?this.#S(i.messageID):-1;i&&s>=0&&(this.#l=this.#x=!0,this.#h.resume(i,s));let o=t.findIndex(n=>n.kind==="unread");o<0?(this.#x=!1,this.#l||this.#o.goToEnd()):(!this.#l||!this.#x&&this.#o.isFollowing)&&(this.#x=!0,this.#o.goTo(o,"top")),this.#l||=e&&!(this.#w&&(i||this.#z))}#y(){let{conversation:t,extras:e}=this.#e,{items:i,hasAfter:s}=t;this.#o.setItems(e?.grouped(i)??i,s)}#S(t){return this.#o.items.findIndex(e=>e.kind==="message"&&(e.parts??[e]).some(({message:i})=>i.messageID===t))}get#z(){let{items:t,hasBefore:e,hasLoaded:i}=this.#e.conversation,s=t[t[0]?.kind==="day"?1:0];return i&&e&&(s?.kind==="unread"||t[0]?.kind==="unread")}#T(){this.#l&&(this.#h.see(),this.#g?.draw()),this.#u?.check(),this.#l&&this.#d.check()}async#C(t=!1){let{conversation:e,fail:i}=this.#e;this.#w=!1,this.#h.forget();try{e.hasAfter&&await e.loadNewest()}catch(s){return i(s)}this.#y(),this.#o.goToEnd(),t&&this.focus()}async#A(t){let{conversation:e,t:i}=this.#e;try{await e.loadAround(t)}catch{}this.#y();let s=this.#S(t);if(s<0){this.#i.show(i("reply.unavailable"));return}let o=this.#o.goTo(s,"center");o&&(o.focus({preventScroll:!0}),o.classList.remove("is-found"),o.offsetWidth,o.classList.add("is-found"),d(o,"animationend",()=>o.classList.remove("is-found"),this.#t.signal,{once:!0}))}async#M(t){let{t:e}=this.#e;try{await navigator.clipboard.writeText(t),this.#i.show(e("copied"))}catch{this.#i.show(e("copyFailed"),{isFailure:!0})}}async#L(t){let{client:e,fail:i}=this.#e;try{let s=await e.startConversation(t);this.#n.onOpen?.(s)}catch(s){i(s)}}};var G=class{constructor(t){this.#t=t,this.#s=Z(e=>this.#p(e),t.fail)}element=a("div",{class:"conversation-pane"});#t;#s;#i=[];#e=null;problem="";get channel(){return this.#i.at(-1)??null}get view(){return this.#e}open(t){t===this.channel?this.#e?.focus():this.show(t)}show(t){this.#i=t?[t]:[],this.draw()}clear(){this.#e?.close(),this.#e=null,this.#i=[],this.element.replaceChildren()}draw(){let t=this.#t.list(),{channel:e,element:i}=this,s=i.getRootNode(),o=this.#e?.element.contains(s.activeElement);if(this.#e?.close(),this.#e=null,t?.select(e),i.parentElement?.classList.toggle("is-open",e!==null),i.replaceChildren(),e){let n=this.#n(e);this.#e=n,i.append(n.element),n.open().catch(this.#t.fail),(o||t&&matchMedia("(hover: hover)").matches)&&n.focus()}else i.append(this.#o()),o&&t?.focus();this.#t.onopen(e)}#n(t){let{client:e,t:i,list:s,live:o,toasts:n}=this.#t,r=this.#i.length>1,h=new $(e(),e().conversation(t),i(),{onBack:r||s()?()=>this.#r():void 0,onDetails:()=>this.#s(t),onOpen:c=>this.#h(c),live:o,toasts:n()});return h.element.classList.toggle("is-over",r),s()||x(h.element,{role:"group"}),h}#o(){let t=this.#t.t();return a("div",{class:"placeholder"},a("slot",{name:"empty"},this.#t.list()||!this.problem?[g("conversation"),a("h2",null,t("conversation.none")),a("p",null,t("conversation.noneHint"))]:[g("warning"),a("p",{role:"alert"},this.problem)]))}#h(t){if(this.#t.list())return this.open(t);this.#i.push(t),this.draw()}#r(){let t=this.#i.pop(),e=this.#t.list();e&&(this.#i=[]),this.draw(),this.#t.onclose(t),(e??this.#e)?.focus()}async#p(t){let{client:e,t:i,root:s,list:o,toasts:n,fail:r,onleave:h}=this.#t,{openDetails:c}=await import("./chunks/details-view-BTSNWKAG.js");c({client:e(),conversation:e().conversation(t),t:i(),root:s,fail:r,toasts:n(),start:Z(async p=>this.#h(await e().startConversation(p)),r),open:p=>this.#h(p),leave:o()?()=>this.open(null):void 0}).closed.then(()=>{document.activeElement===document.body&&h()})}};var Pt=y(`
.composer { flex: none; padding: 0 12px calc(12px + env(safe-area-inset-bottom, 0px));
  padding-inline: max(12px, calc((100cqi - 960px) / 2)); }
.bar { position: relative; border: 1px solid var(--roost-line); border-radius: 24px; background: var(--roost-surface);
  transition: border-color var(--roost-fast); }
.bar:focus-within { border-color: var(--roost-accent); }
.note { margin: 0; padding: 12px; text-align: center; color: var(--roost-text-2); border-radius: 16px;
  background: var(--roost-surface-2); }
.bar > .line { display: flex; align-items: flex-end; padding: 1px; }
.grow-field { flex: 1; min-width: 0; display: grid; max-height: min(40dvh, 240px); overflow: hidden; }
.grow-field::after { content: attr(data-text) " "; visibility: hidden; }
.grow-field::after, .field-text { grid-area: 1 / 1; font: 400 16px/22px var(--roost-font); padding: 11px 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; max-height: min(40dvh, 240px); }
.field-text { width: 100%; resize: none; border: 0; background: none; color: var(--roost-text); margin: 0;
  overflow: hidden auto; }
.field-text:focus-visible { outline: none; }
.field-text::placeholder { color: var(--roost-text-2); opacity: 1; overflow: hidden; white-space: nowrap; }
.counter { display: block; padding: 0 16px 8px; font-size: var(--roost-size-1); color: var(--roost-text-2);
  text-align: end; }
.counter.is-near { color: var(--roost-danger); font-weight: 600; }
.replying { display: flex; align-items: center; gap: 4px; padding: 6px 1px 0 12px; }
.replying:dir(rtl) { padding: 6px 12px 0 1px; }
.replying .quote { flex: 1; }
@container (max-width: 560px) {
  .composer { padding: 0 8px calc(8px + env(safe-area-inset-bottom, 0px)); }
}
@container (max-width: 380px) { .emoji-button { display: none; } }
@media (forced-colors: active) { .bar { border: 1px solid CanvasText; } }
`);var Nt=y(`
.conversation {
  position: relative; display: flex; flex-direction: column; height: 100%; min-width: 0; min-height: 0;
  background: var(--roost-surface); overflow: hidden; container-type: inline-size;
}
.conversation-header {
  display: flex; align-items: center; gap: var(--roost-space-2); min-height: 60px; padding: 8px 8px 8px 16px;
  border-bottom: 1px solid var(--roost-line); flex: none;
}
.conversation-header:dir(rtl) { padding: 8px 16px 8px 8px; }
.conversation-header .back { display: none; margin-inline-start: -12px; }
.conversation-header > .about { flex: 1; display: flex; align-items: center; gap: var(--roost-space-2); min-width: 0;
  min-height: 44px; }
.conversation-header > .opens { cursor: pointer; }
.titles { flex: 1; min-width: 0; }
.titles h2 { line-height: 1.25; }
.timeline { position: relative; flex: 1; min-height: 0; }
.scroller {
  position: absolute; inset: 0; overflow: hidden auto; overflow-anchor: none; overscroll-behavior: contain;
  contain: strict; -webkit-overflow-scrolling: touch;
}
.rows { display: flex; flex-direction: column; justify-content: flex-end; min-height: 100%; }
.row { position: relative; flex: none; padding: 1px max(16px, calc((100cqi - 960px) / 2)); }
.row:focus { outline: none; }
.row:focus-visible { outline: 2px solid var(--roost-accent); outline-offset: -3px; border-radius: 10px; }

.day-row { display: grid; place-items: center; padding-block: 16px 8px; }
.day { padding: 3px 12px; border-radius: 99px; background: var(--roost-surface-2); color: var(--roost-text-2);
  font-size: var(--roost-size-1); font-weight: 500; }
.unread-row { display: flex; align-items: center; gap: 12px; padding-block: 12px 8px; color: var(--roost-accent); }
.unread-row::before, .unread-row::after { content: ""; flex: 1; border-top: 1px solid currentColor; opacity: .5; }
.unread-label { font-size: var(--roost-size-1); font-weight: 600; }
.line-row { padding-block: 6px; text-align: center; color: var(--roost-text-2); font-size: var(--roost-size-1); }
.server-line { display: inline-block; max-width: 46em; overflow-wrap: anywhere; }

.message-row { display: flex; gap: 8px; padding-top: 8px; }
.message-row.grouped { padding-top: 1px; }
.message-row.own { flex-direction: row-reverse; }
.avatar-column { width: 32px; flex: none; padding-top: 2px; }
.grouped .avatar-column { visibility: hidden; }
.column { display: flex; flex-direction: column; align-items: flex-start; min-width: 0; max-width: min(76%, 600px); }
.own .column { align-items: flex-end; }
.sender { padding: 0 12px 2px; font-size: var(--roost-size-1); font-weight: 600; color: var(--roost-text-2);
  overflow-wrap: anywhere; }
.sender:not(.visually-hidden) bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
  overflow: hidden; }
.sender > button { border-radius: 4px; }
.avatar-column > .avatar { cursor: pointer; }
@media (hover: hover) { .sender > button:hover { text-decoration: underline; } }
.bubble {
  position: relative; max-width: 100%; min-width: 0; padding: 7px 12px; border-radius: 16px;
  background: var(--roost-surface-2); overflow-wrap: anywhere;
}
.own .bubble { background: var(--roost-own); }
.other .bubble { border-start-start-radius: 5px; }
.own .bubble { border-end-end-radius: 5px; }
.single .other .bubble { border-radius: 16px; border-end-start-radius: 5px; }
.text { white-space: pre-wrap; text-align: start; overflow-x: clip; overflow-clip-margin: 6px; }
.text::after { content: ""; display: block; clear: both; }
.with-icon { display: inline-flex; gap: 8px; align-items: flex-start; }
.words.is-emoji { font-size: 40px; line-height: 1.15; letter-spacing: 2px; }
.bubble.is-bare { background: none; padding-inline: 4px; }
.words .mention { font-weight: 600; color: var(--roost-accent); }
.words .mention.is-me { padding: 1px 4px; margin-inline: -2px; border-radius: 5px; color: var(--roost-text);
  background: var(--roost-mark); }
.host { color: var(--roost-text-2); }
.fold { color: var(--roost-accent); font-weight: 600; min-height: 32px; }
.meta {
  float: inline-end; display: inline-flex; align-items: center; gap: 3px; min-height: 16px; margin: 5px 0 -4px 8px;
  font-size: 12px; line-height: 16px; color: var(--roost-text-2); white-space: nowrap;
  font-variant-numeric: tabular-nums; user-select: none;
}
.text:dir(rtl) > .meta { margin: 5px 8px -4px 0; }
.meta .icon { width: 15px; height: 15px; }
.bubble > .meta { float: none; display: flex; justify-content: flex-end; margin: 2px -2px -4px 0; }
.bubble .meta:not(:has(:not(.visually-hidden))) { margin: 0; min-height: 0; }
.failed .meta .icon { color: var(--roost-danger); }
.marks { display: inline-flex; align-items: center; gap: 2px; }
.unread-by { padding-inline-end: 3px; }
.recalled .words, .announcement .sender { font-style: italic; }
.recalled { color: var(--roost-text-2); background: none !important; box-shadow: inset 0 0 0 1px var(--roost-line); }
.announcement .bubble { background: var(--roost-mark); border-radius: 16px; }
.announcement .meta { color: inherit; }
.forwarded { display: flex; align-items: center; gap: 4px; font-size: var(--roost-size-1); color: var(--roost-text-2); }
.forwarded .icon { width: 16px; height: 16px; }

.quote { display: grid; gap: 0; padding: 2px 10px; min-width: 0; font-size: var(--roost-size-1); line-height: 1.35;
  border-inline-start: 3px solid var(--roost-accent); color: var(--roost-text-2); }
.quote-name { display: flex; align-items: center; gap: 4px; color: var(--roost-accent); font-weight: 600; }
.quote-name .icon { width: 14px; height: 14px; }
.quote-button { display: block; width: 100%; max-width: 100%; min-height: 44px; margin: 1px 0 4px; padding: 4px 0;
  border-radius: 6px; }
.quote-button .quote { max-width: 100%; }
.has-media .quote-button { width: calc(100% - 16px); margin: 2px 8px 4px; }

.has-media { padding: 4px; overflow: hidden; }
.media { position: relative; display: block; width: var(--width); max-width: 100%; aspect-ratio: var(--ratio);
  border-radius: 12px; overflow: hidden; background: color-mix(in srgb, var(--roost-text) 8%, transparent); }

.reactions { display: flex; flex-wrap: wrap; gap: 4px; padding: 3px 2px 3px; }
.own .reactions { justify-content: flex-end; }
.reaction { display: inline-flex; align-items: center; gap: 5px; min-height: 30px; min-width: 44px; padding: 2px 10px;
  justify-content: center; border-radius: 15px; border: 1px solid var(--roost-line); background: var(--roost-surface);
  font-size: var(--roost-size-1); font-variant-numeric: tabular-nums; }
.reaction .emoji { font-size: 16px; line-height: 1; }
.reaction[aria-pressed="true"] { background: var(--roost-own); border-color: var(--roost-accent); font-weight: 600; }
.emoji { font-family: "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", var(--roost-font); }

.failure-row { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 0 12px;
  padding: 2px 4px; text-align: end; }
.failure-actions { display: flex; gap: 4px; }
.text-button { min-height: 32px; padding: 0 8px; font-size: var(--roost-size-1); font-weight: 600;
  color: var(--roost-accent); }
.text-button:hover { text-decoration: underline; }

.more, .tools { align-self: center; flex: none; }
.more { opacity: 0; margin-inline: -4px; }
.tools { position: absolute; inset-block-start: 50%; translate: 0 -50%; display: none; gap: 0; }
.message-row:hover > .more, .row:focus-within > .more, .more:focus-visible { opacity: 1; }
@media (hover: hover) and (pointer: fine) {
  .message-row .more, .tools .icon-button { width: 36px; height: 36px; }
  .message-row:hover > .tools { position: static; translate: none; display: inline-flex; margin-inline: -4px; }
}
@media (hover: none) {
  .row > .more { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .row > .more:focus-visible { position: static; width: 44px; height: 44px; clip-path: none; }
  .message-row { user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; }
}

.typing { flex: none; height: 22px; padding: 0 max(16px, calc((100cqi - 960px) / 2));
  font-size: var(--roost-size-1); line-height: 20px; color: var(--roost-text-2); }
.page-loading { position: absolute; inset: 8px 0 auto; display: grid; place-items: center; pointer-events: none; }
.page-loading .spinner { background: var(--roost-surface); box-shadow: 0 0 0 6px var(--roost-surface); }
.empty { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 16px;
  padding: 24px; text-align: center; color: var(--roost-text-2); }
.empty[data-state="loading"] .spinner { animation-delay: 0s; }
.jump {
  position: absolute; inset-block-end: 8px;
  inset-inline-end: max(16px, calc((100cqi - 960px) / 2)); display: inline-flex; align-items: center; gap: 8px;
  min-width: 44px; min-height: 44px; padding: 0 12px; justify-content: center; border-radius: 22px; font-weight: 600;
  font-size: var(--roost-size-1); color: var(--roost-accent); background: var(--roost-surface);
  box-shadow: var(--roost-shadow); animation: roost-rise 140ms var(--roost-ease);
}
.jump-text:empty { display: none; }
.is-found .bubble { animation: roost-found 1.6s ease-out; }
@keyframes roost-found {
  0%, 40% { box-shadow: 0 0 0 3px var(--roost-accent); }
  100% { box-shadow: 0 0 0 3px transparent; }
}
.mirror:dir(rtl) { transform: scaleX(-1); }
.grow { flex: 1; min-width: 0; }

@container (max-width: 560px) {
  .conversation-header .back { display: inline-grid; }
  .row { padding-inline: 10px; }
  .column { max-width: 84%; }
  .other:not(:has(.avatar-column)) .column { max-width: 88%; }
  .message-row:hover > .tools { display: none; }
}
@media (pointer: coarse) { .reaction, .text-button { min-height: 44px; } .reaction { border-radius: 22px; } }
@media (forced-colors: active) {
  .bubble, .day, .jump, .reaction { border: 1px solid CanvasText; }
  .reaction[aria-pressed="true"] { border: 2px solid Highlight; }
  .mention.is-me { outline: 1px solid Highlight; }
}
`);var Wt=y(`
:host { display: flex; flex-direction: column; height: 100%; min-height: 240px; contain: layout; overflow: hidden;
  container-type: inline-size; }
/* Where the page gives it no height, it has one of its own. */
.frame { position: relative; display: flex; flex-direction: column; flex: 1 1 480px; height: 100%; min-height: 0;
  padding-bottom: var(--roost-keyboard, 0px); letter-spacing: normal; word-spacing: normal; text-transform: none; }
.panes { flex: 1; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; min-width: 0; }
.panes.has-list { grid-template-columns: clamp(280px, 32%, 380px) minmax(0, 1fr); }
.list-pane { min-width: 0; min-height: 0; border-inline-end: 1px solid var(--roost-line); }
.conversation-pane { position: relative; min-width: 0; min-height: 0; }
.placeholder { height: 100%; display: grid; place-content: center; justify-items: center; gap: 8px; padding: 24px;
  text-align: center; color: var(--roost-text-2); background: var(--roost-surface); }
.placeholder .icon { width: 48px; height: 48px; stroke-width: 1.25; color: var(--roost-accent); }
.placeholder h2 { color: var(--roost-text); }
.conversation.is-over .back { display: inline-grid; }
@container (max-width: 720px) {
  .panes.has-list { grid-template-columns: minmax(0, 1fr); }
  .list-pane { border: 0; }
  .panes.has-list > .conversation-pane, .panes.is-open > .list-pane { display: none; }
  .panes.is-open > .conversation-pane { display: block; }
  .panes.has-list .conversation .back { display: inline-grid; }
}
`);var Y=class extends(globalThis.HTMLElement??Object){constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[Bt,Nt,Pt,Wt],this.#s=a("div",{class:"panes"},this.#t,this.#l.element),this.#i.append(this.#h.element,this.#s),t.append(this.#i)}static get observedAttributes(){return["server","token","guest","channel","user","lang","mode"]}#t=a("div",{class:"list-pane",hidden:!0});#s;#i=a("div",{class:"frame"});#e=rt("en");#n=new z({summary:t=>this.#e("announce.messages",{count:t})});#o=new C({closeLabel:"",live:this.#n});#h=new q(this.#n,()=>this.#e);#r=null;#p=!1;#d=null;#m=new AbortController;#a=null;#u=!1;#g=t=>void this.#o.show(f(t,this.#e),{isFailure:!0});#l=new G({client:()=>this.#r,t:()=>this.#e,root:this.#i,list:()=>this.#a,live:this.#n,toasts:()=>this.#o,fail:this.#g,onopen:t=>this.#x("open",{channel:t}),onclose:t=>this.#x("close",{channel:t}),onleave:()=>this.focus()});get client(){return this.#r}get conversation(){let{channel:t}=this.#l;return t&&this.#r?.conversation(t)||null}get list(){return this.#a}get texts(){return this.#e}connectedCallback(){this.#r||this.#w()}disconnectedCallback(){queueMicrotask(()=>{this.isConnected||this.#f()})}attributeChangedCallback(t,e,i){e===i||!this.isConnected||(t==="channel"||t==="user"||t==="mode"?this.#y():t==="lang"?this.#k():this.#w())}async connect(t={}){this.#f();let{client:e,...i}=t;this.#d=i,this.#m=new AbortController;let{signal:s}=this.#m,o=e??_(this.#c());this.#r=o,this.#p=!e;for(let n of["message","unread","error"])d(o,n,({detail:r})=>this.#x(n,r),s);if(this.#h.watch(o,s),this.#S(s).catch(()=>{}),this.#e=await J(this.getAttribute("lang")||null),!s.aborted&&(this.#h.draw(),await o.ready,!s.aborted)){if(o.state==="refused"){if(this.#l.clear(),!Q(o))return;let{showOriginNotice:n}=await import("./chunks/origin-notice-EO7IWX63.js");s.aborted||n(this.#l.element,o.server,this.#e);return}await this.#v(),await this.#y(),s.aborted||this.#x("ready")}}open(t){this.#l.open(t)}focus(){(this.#l.view??this.#a)?.focus()}#x(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e,composed:!0}))}#w(){this.#u||(this.#u=!0,queueMicrotask(()=>{this.#u=!1;let{token:t,guest:e}=this.#c();this.isConnected&&(t||e)&&this.connect(this.#d??{})}))}#c(){let[t,...e]=(this.getAttribute("guest")??"").split(" ");return{server:this.getAttribute("server")??void 0,token:this.getAttribute("token")??void 0,guest:t?{userID:t,name:e.join(" ")||void 0}:void 0,...this.#d}}#f(){this.#m.abort(),this.#l.clear(),this.#a?.destroy(),this.#a=null,this.#t.replaceChildren(),this.#p&&this.#r?.close(),this.#r=null}get#b(){return this.getAttribute("mode")==="both"||!(this.hasAttribute("channel")||this.hasAttribute("user"))}async#v(){let t=this.#r,e=this.#e;if(x(this.#i,{lang:e.lang,dir:e.dir}),this.#o.element.remove(),this.#n.element.remove(),this.#o=new C({closeLabel:e("close"),live:this.#n}),this.#i.append(this.#o.element,this.#n.element),this.#a?.destroy(),this.#a=null,this.#t.hidden=!this.#b,this.#s.classList.toggle("has-list",this.#b),this.#t.replaceChildren(),!this.#b)return;let{signal:i}=this.#m,{ChannelListView:s}=await import("./chunks/list-view-P4XBJO65.js");i.aborted||this.#a||e!==this.#e||!this.#b||(this.#a=new s(t,e,{onSelect:o=>this.open(o),onFailure:this.#g,isDev:Boolean(this.#c().guest)}),this.#t.append(this.#a.element))}async#k(){let{signal:t}=this.#m;!this.#r||t.aborted||(this.#e=await J(this.getAttribute("lang")||null),!t.aborted&&(await this.#v(),!t.aborted&&(this.#l.draw(),this.#h.draw())))}async#y(){let t=this.#r;if(!t||(Boolean(this.#a)!==this.#b&&await this.#v(),this.#r!==t))return;let e=this.getAttribute("channel"),i=this.getAttribute("user");if(this.#l.problem="",!e&&i)try{e=await t.startConversation(i)}catch(s){this.#l.problem=f(s,this.#e),this.#a&&this.#g(s)}this.#r===t&&this.#l.show(e)}async#S(t){let e=this.#r;import("./chunks/dialog-notes-IDWOHI3B.js").then(({watchDialogs:o})=>o({client:e,root:this.#i,signal:t,t:()=>this.#e}),()=>{});let{watchKeys:i,watchScreenKeyboard:s}=await import("./chunks/keys-WQFXESZS.js");s(this,this.#i,t),i({target:this.getAttribute("keys")==="page"?document:this.#i,root:this.#i,signal:t,list:()=>this.#a,view:()=>this.#l.view,t:()=>this.#e,fail:this.#g,showList:()=>{this.#s.classList.contains("is-open")&&!this.#a?.element.offsetParent&&this.open(null)}})}};var et=globalThis.customElements;et&&!et.get("roost-chat")&&et.define("roost-chat",Y);export{Y as RoostChatElement,_ as connect};
