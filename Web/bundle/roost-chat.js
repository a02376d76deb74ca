import{a as Q}from"./chunks/chunk-FFKMZ6CZ.js";import{a as et}from"./chunks/chunk-X32LRPIH.js";import{a as it,b as st,c as ot,d as nt,e as rt}from"./chunks/chunk-SGQ6T3GX.js";import"./chunks/chunk-WSZXJHBR.js";import{a as at,b as lt,c as ht,f as ct,g as dt,h as C,i as pt,j as D,k as ut,l as ft,m as mt}from"./chunks/chunk-6XDTAHRX.js";import{a as tt}from"./chunks/chunk-3SPLQPUW.js";import{b as X,g as U,h as v}from"./chunks/chunk-DVZEWAPL.js";import{e as H}from"./chunks/chunk-FHGUBZWC.js";import"./chunks/chunk-W2KRPO77.js";import"./chunks/chunk-G2PI7OJO.js";import"./chunks/chunk-A5MNZM34.js";import{a as T,c as Z}from"./chunks/chunk-3V6VE2WQ.js";import{b as _,c as W}from"./chunks/chunk-VXPUYN5H.js";import{a as g}from"./chunks/chunk-RVIQYFAM.js";import{a,b,c as y,d as w,e as Y,f as d,g as $,h as N,i as J}from"./chunks/chunk-FGL23BOC.js";import"./chunks/chunk-MRYQ45LQ.js";var S=class{constructor({summary:t,burst:e=2,wait:s=800}){this.#e=t,this.#n=e,this.#o=s,this.#t=a("div",{"aria-live":"polite","aria-atomic":"true"}),this.#l=a("div",{role:"alert","aria-atomic":"true"}),this.element=a("div",{class:"visually-hidden"},this.#t,this.#l)}#e;#n;#o;#t;#l;#s=[];#h="";#a="";#r=0;#p=-1/0;message(t){this.#s.push(t),this.#a="",this.#f()}note(t){this.#h=t,this.#f()}typing(t){let e=performance.now();t||(this.#a=""),!(!t||e-this.#p<1e4||this.#s.length)&&(this.#p=e,this.#a=t,this.#f())}failure(t){this.#l.textContent="",this.#l.textContent=t}clear(){clearTimeout(this.#r),this.#r=0,this.#s=[],this.#h=this.#a=""}#f(){this.#r||=setTimeout(()=>{let t=this.#s,s=[...t.length>this.#n?[this.#e(t.length)]:t,this.#h,this.#a].filter(Boolean);s.length&&(this.#t.textContent=s.join(". ")),this.clear()},this.#o)}};var k=class{constructor({closeLabel:t,live:e}){this.#e=t,this.#n=e,this.element=a("div",{class:"toasts"})}#e;#n;show(t,{isFailure:e=!1,action:s}={}){for(let l of this.element.children)l.firstChild?.textContent===t&&l.remove();let i=0,o=()=>{clearTimeout(i),r.remove()},n=()=>{clearTimeout(i),e||(i=setTimeout(o,6e3))},r=a("div",{class:"toast",part:"toast",dir:"auto"},a("span",null,t),s&&a("button",{type:"button",class:"button",onclick:()=>{o(),s.run()}},s.label),a("button",{type:"button",class:"icon-button","aria-label":this.#e,onclick:o},g("close")));for(d(r,"pointerenter focusin",()=>clearTimeout(i)),d(r,"pointerleave focusout",n),this.element.append(r);this.element.children.length>3;)this.element.firstChild?.remove();return n(),e?this.#n?.failure(t):this.#n?.note(t),o}};var gt=T(`
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
  float: inline-end; display: inline-flex; align-items: center; gap: 3px; min-height: 16px; margin: 5px -2px -4px 8px;
  font-size: 12px; line-height: 16px; color: var(--roost-text-2); white-space: nowrap;
  font-variant-numeric: tabular-nums; user-select: none;
}
.text:dir(rtl) > .meta { margin: 5px 8px -4px -2px; }
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
.drop { position: absolute; inset: 8px; z-index: 5; display: grid; place-content: center; justify-items: center;
  gap: 12px; border: 2px dashed var(--roost-accent); border-radius: 16px; font-weight: 600; color: var(--roost-accent);
  background: color-mix(in srgb, var(--roost-surface) 90%, transparent); pointer-events: none; }
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
  .message-row > .tools { display: none; }
}
@media (pointer: coarse) { .reaction, .text-button { min-height: 44px; } .reaction { border-radius: 22px; } }
@media (forced-colors: active) {
  .bubble, .day, .jump, .reaction { border: 1px solid CanvasText; }
  .reaction[aria-pressed="true"] { border: 2px solid Highlight; }
  .mention.is-me { outline: 1px solid Highlight; }
}
`);var zt=typeof MediaRecorder<"u"&&Boolean(navigator.mediaDevices),Mt=200,R=class{constructor(t,{onsend:e,onleave:s}){let{t:i,signal:o}=t;this.#e=t,this.#n=e,this.#o=s,this.field=a("textarea",{class:"field-text",rows:"1",dir:"auto",part:"field","aria-label":i("composer.label"),enterkeyhint:"send",autocapitalize:"sentences",autocomplete:"off"}),this.#t=a("div",{class:"grow-field"},this.field),this.#l=a("span",{class:"counter",hidden:!0}),this.#s=this.#A("composer.more","add",()=>this.#B()),this.#h=this.#A("composer.emoji","emoji",()=>this.#q()),this.#h.classList.add("emoji-button"),this.#a=this.#A("composer.send","send",()=>this.send()),this.#a.classList.add("primary"),this.#r=this.#A("composer.record","microphone",()=>this.#P()),this.#p=a("div",{class:"replying",hidden:!0}),this.#f=a("div",{class:"scheduled",hidden:!0}),this.#v=a("div",{class:"line"},this.#s,this.#t,this.#h,this.#r,this.#a),this.#b=a("div",{class:"line recording",hidden:!0}),this.#T=a("p",{class:"note",hidden:!0}),this.#w=a("div",{class:"bar"},this.#f,this.#p,this.#v,this.#b,this.#l),this.element=a("div",{class:"composer",part:"composer"},this.#w,this.#T),d(this.field,"input",()=>this.#L(),o),d(this.field,"keydown",f=>this.#K(f),o),d(this.field,"paste",f=>this.#I(f),o),d(this.field,"select click keyup",()=>this.#u?.update(this.#c,this.#m),o),d(this.field,"blur",()=>this.#u?.close(),o),d(o,"abort",()=>{this.#F(),this.#i?.end()}),this.update();let{text:n,mentions:r,replyTo:l,files:h}=t.conversation.draft;this.#m=r,this.#d=h,this.#z(l),this.#D(n),h.length&&this.#k()}#e;#n;#o;#t;#l;#s;#h;#a;#r;#p;#f;#u=null;#i=null;#d=[];#g=[];#v;#b;#T;#w;#c="";#m=[];#x=null;#C=null;#S={};focus(){this.#w.hidden||this.field.focus({preventScroll:!0})}update(){let{conversation:t,t:e}=this.#e,{canWrite:s,isGone:i,isBanned:o,channel:n,schedules:r}=t;(this.#S.canWrite!==s||this.#S.isGone!==i)&&(this.#w.hidden=!s,this.#T.hidden=s,w(this.#T,s?"":e(o?"conversation.banned":i?"conversation.left":"conversation.news"))),this.#S.name!==n?.name&&(this.field.placeholder=n?.kind==="single"?e("composer.placeholderTo",{name:n.name}):e("composer.placeholder")),this.#S.schedules!==r&&(r.length||this.#S.schedules?.length)&&ft(this.#e,this.#f),this.#S={canWrite:s,isGone:i,name:n?.name,schedules:r}}reply(t){this.#z(t),this.#y(),this.focus()}#z(t){let{t:e,client:s}=this.#e;this.#x=t,this.#p.hidden=!t,y(this.#p,t&&[it(this.#e,t,t.senderID===s.user.userID),this.#A("reply.cancel","close",()=>this.reply(null))]),b(this.#p,{role:"group","aria-label":t&&e("reply.to",{name:t.senderName??""})})}#y(){let t=[...this.#i?.files??this.#d,...this.#g];this.#e.conversation.setDraft({text:this.#c,mentions:this.#m,replyTo:this.#x,files:t})}async send(){let{conversation:t}=this.#e;if(this.#c.includes("@")&&!this.#u&&await this.#j().catch(()=>{}),this.#d.length&&!await this.#k())return;let e=this.#c,s=this.#x??void 0,i=/\S/.test(e);if(!t.canWrite||this.#R<0||!(i||this.#M))return;let o=i?this.#u?.written(e,this.#m)??this.#m:[];this.#M?this.#i?.send({text:i?e:"",mentions:o,replyTo:s}):t.send({text:e,mentions:o,replyTo:s}),this.#m=[],this.#D(""),this.#L(),this.reply(null),this.#n()}async addFiles(t){(await this.#k())?.add(t)}async#k(){try{let{Attachments:t}=await at();this.#i||(this.#i=new t(this.#e,()=>{this.#E(),this.#y()}),this.#v.before(this.#i.element),this.#i.restore(this.#d),this.#d=[])}catch(t){this.#e.fail(t)}return this.#i}get#M(){return this.#i?.count??this.#d.length}async#j(){if(!(!this.#u&&!this.#c.includes("@"))){if(!this.#u){let{MentionPopup:t}=await ht();this.#u??=new t(this.#e,this.field,e=>{this.#m=e.mentions,this.#D(e.text,e.cursor),this.#L()}),this.#w.prepend(this.#u.element)}this.#u.update(this.#c,this.#m)}}get#R(){return(this.#e.client.limits?.textLength??8e3)-this.#c.length}#A(t,e,s){let i=this.#e.t(t);return a("button",{type:"button",class:"icon-button","aria-label":i,title:i,onclick:s,onpointerdown:o=>o.preventDefault()},g(e))}#D(t,e=t.length){this.field.value=t,this.field.setSelectionRange(e,e),this.#c=t,this.#E()}#L(){let{conversation:t}=this.#e,e=this.field.value;this.#m=et(this.#m,this.#c,e),this.#c=e,this.#y(),e?t.userIsTyping():t.userStoppedTyping(),this.#E(),this.#j().catch(()=>{})}#E(){let{t}=this.#e;this.#t.dataset.text=this.#c;let e=this.#R,s=/\S/.test(this.#c)||this.#M>0;this.#a.disabled=!s||e<0,this.#r.hidden=s||!zt,this.#a.hidden=!this.#r.hidden;let i=e<=Mt;this.#l.hidden=!i,i&&(w(this.#l,e<0?t("composer.tooLong",{count:-e}):t("composer.charactersLeft",{count:e})),this.#l.classList.toggle("is-near",e<=10),b(this.field,{"aria-invalid":e<0?"true":null}))}#K(t){t.isComposing||t.keyCode===229||(this.#u?.keyPressed(t)?(t.preventDefault(),t.stopPropagation()):t.key==="Enter"&&!t.shiftKey&&!t.altKey&&!t.ctrlKey&&!t.metaKey?(t.preventDefault(),this.send()):t.key==="Escape"&&this.#x?(t.preventDefault(),t.stopPropagation(),this.reply(null)):t.key==="ArrowUp"&&!this.#c&&!t.shiftKey&&(t.preventDefault(),this.#o()))}#I(t){let e=[...t.clipboardData?.files??[]];!e.length||t.clipboardData?.types.includes("text/plain")||(t.preventDefault(),this.addFiles(e))}#B(){ut(this.#e,{anchor:this.#s,returnTo:this.field,text:this.#R<0||this.#M?"":this.#c,mentions:()=>this.#u?.written(this.#c,this.#m)??this.#m,pick:async t=>(await this.#k())?.pick(t),onsend:this.#n,onscheduled:()=>{this.#m=[],this.#D(""),this.#L()}})}#q(){D(this.#e,{anchor:this.#h,returnTo:this.field,onpick:t=>{let{selectionStart:e,selectionEnd:s}=this.field;this.field.setRangeText(t,e,s,"end"),this.#L()}})}#P(){this.#C??=new AbortController,mt(this.#e,{bar:this.#b,line:this.#v,signal:this.#C.signal,onpart:t=>{this.#g=t,this.#y()},onend:t=>{if(this.#C=null,this.focus(),!t)return;let{file:e,...s}=t;this.#e.conversation.sendFile(e,{...s,replyTo:this.#x??void 0}),this.reply(null),this.#n()}})}#F(){this.#C?.abort(),this.#C=null}};var Lt=500,bt=5e3,xt=-bt,E=class{constructor(t,e){this.#e=t,this.#n=e;let s=new IntersectionObserver(o=>{this.#o=o[o.length-1].isIntersecting,this.check()});s.observe(e.element),d(window,"focus keydown pointerdown wheel",o=>{o.type!=="focus"&&(xt=performance.now()),this.check()},t.signal,{capture:!0,passive:!0}),d(t.signal,"abort",()=>{s.disconnect(),clearTimeout(this.#t)})}#e;#n;#o=!1;#t=0;check(){if(this.#t)return;let t=this.#l;t&&(this.#t=setTimeout(()=>{this.#t=0;let e=this.#l;e&&this.#e.conversation.markRead(t),e>t&&this.check()},Lt))}get#l(){let{conversation:t,client:e}=this.#e,{channel:s,timeline:i,items:o}=t,{readSeq:n=0,isMarkedUnread:r,kind:l}=s??{},h=Math.min(s?.seq??0,i.to),f=o.at(-1),x=document.visibilityState==="visible"&&(document.hasFocus()||performance.now()-xt<bt);return(h>n||r)&&l!=="open"&&x&&this.#o&&e.state==="live"&&t.hasLoaded&&!t.hasAfter&&!t.isGone&&f&&this.#n.isFollowing&&this.#n.row(f.key)?h:0}};var Dt=450,Rt=8;function wt(p,t){let{t:e,signal:s,conversation:i}=p,{rows:o}=t,n=c=>c.closest("a, button, input, label, video, .media"),r=c=>{let u=t.itemAt(c);return u?.kind==="message"?u:null},l=c=>c.closest("[data-key]"),h=0,[f,x]=[0,0],j=!1,M=!1;d(o,"pointerdown",c=>{[f,x,j,M]=[c.clientX,c.clientY,!1,!1],clearTimeout(h);let u=r(c.target);c.pointerType==="mouse"||!u||c.target.closest("input, .progress")||(h=setTimeout(()=>{M=!0,C(p,u,{point:{x:f,y:x},returnTo:l(c.target)})},Dt))},s),d(o,"pointermove",c=>{Math.hypot(c.clientX-f,c.clientY-x)<Rt||(j=!0,clearTimeout(h))},s,{passive:!0}),d(o,"pointerup pointercancel pointerleave",()=>clearTimeout(h),s),d(o,"click",c=>{M&&(c.preventDefault(),c.stopPropagation())},s,{capture:!0}),d(o,"click",c=>{let u=r(c.target);if(!u)return;let m=c.target.closest("[data-more]");m?C(p,u,{anchor:m,returnTo:c.detail?l(m):m}):i.channel?.kind==="open"&&!j&&!n(c.target)&&ot(u)&&pt(p,u.message)},s),d(o,"contextmenu",c=>{let u=r(c.target),m=getSelection(),L=m&&!m.isCollapsed&&c.button===2;if(!u||L||c.target.closest("a, video")||(c.preventDefault(),clearTimeout(h),M))return;let A=l(c.target),At=c.button!==2&&c.pointerType!=="touch"?{anchor:A.querySelector(".bubble")}:{point:{x:c.clientX,y:c.clientY}};C(p,u,{...At,returnTo:A})},s),d(o,"keydown",c=>{if(!(c.ctrlKey||c.metaKey||c.altKey)){if(c.key==="Escape")p.focusComposer();else if(c.key==="r"&&c.target===l(c.target)){let u=r(c.target);if(!u?.message.messageID||u.message.recall||!i.canWrite)return;c.preventDefault(),p.reply(u.message)}}},s);let V=(c,u,m)=>a("button",{type:"button",class:"icon-button",tabindex:"-1","aria-label":e(c),title:e(c),onclick:L=>{let A=r(L.target);A&&m(A,L.currentTarget)}},g(u)),O=a("span",{class:"tools"},V("message.react","emoji",({message:c},u)=>D(p,{anchor:u,returnTo:l(u),onpick:m=>i.react(c.messageID??"",m).catch(p.fail)})),V("message.reply","reply",({message:c})=>p.reply(c)));d(o,"pointerover",c=>{if(c.pointerType!=="mouse"||!i.canWrite)return;let u=l(c.target);if(!u||O.parentElement===u)return;let m=r(u);m?.message.messageID&&!m.message.recall?u.append(O):O.remove()},s,{passive:!0})}var K=class{#e=[];#n=[0];get count(){return this.#e.length}get total(){return this.top(this.count)}at(t){return this.#e[t]}splice(t,e,s){let i=t===this.count&&!e;if(this.#e.splice(t,e,...s),i)for(let o=t;o<this.count;o+=1)this.#o(o);else this.#t()}set(t,e){let s=e-this.#e[t];if(!s)return 0;this.#e[t]=e;for(let i=t+1;i<=this.count;i+=i&-i)this.#n[i]+=s;return s}top(t){let e=0;for(let s=t;s>0;s-=s&-s)e+=this.#n[s];return e}find(t){let e=0,s=t,i=1;for(;i*2<=this.count;)i*=2;for(;i;i=Math.floor(i/2))e+i<=this.count&&this.#n[e+i]<=s&&(e+=i,s-=this.#n[e]);return Math.max(0,Math.min(e,this.count-1))}#o(t){let e=t+1,s=this.#e[t];for(let i=e-1,o=e-(e&-e);i>o;i-=i&-i)s+=this.#n[i];this.#n[e]=s}#t(){this.#n.length=1;for(let t=0;t<this.count;t+=1)this.#o(t)}};function vt(p,t){let e=Math.min(p.length,t.length),s=(n,r)=>n===r||n.key===r.key,i=0;for(;i<e&&s(p[i],t[i]);)i+=1;let o=0;for(;o<e-i&&s(p[p.length-1-o],t[t.length-1-o]);)o+=1;return{index:i,removed:p.length-i-o,inserted:t.length-i-o}}function G(p,{top:t,height:e,margin:s,most:i}){if(!p.count)return{start:0,end:0};let o=p.find(t-s),n=p.find(t+e+s)+1;if(n-o>i){let r=p.find(t+e/2);o=Math.max(o,r-Math.floor(i/2)),n=Math.min(n,o+i)}return{start:o,end:n}}function yt({top:p,height:t,total:e}){return e-p-t<=80}var kt=600,Tt=240,I=12,q=class{constructor(t){this.#e=t,this.rows=a("div",{class:"rows",role:"list","aria-label":t.label,part:"timeline"}),this.element=a("div",{class:"scroller",tabindex:"-1"},this.rows);let{signal:e}=t;d(this.element,"scroll",()=>this.#S(),e,{passive:!0}),d(this.rows,"keydown",i=>this.#M(i),e),d(this.rows,"focusin",i=>this.#y(this.#v(i.target)),e);let s=new ResizeObserver(i=>this.#C(i));s.observe(this.element),this.#n=s,d(e,"abort",()=>s.disconnect())}#e;#n;#o=new K;#t=[];#l=0;#s=0;#h=new Map;#a=0;#r={index:0,offset:0};#p=!0;#f=!0;#u=!1;#i="";#d=!1;#g=!1;get isFollowing(){return this.#f}get above(){return this.#b()}get below(){return Math.max(0,this.#o.total+I-this.#b()-this.#a)}setItems(t,e){let s=this.#t;if(e&&!this.#u&&this.#z(this.#b()),this.#u=e,e&&(this.#f=this.#p=!1),t===s)return;let{index:i,removed:o,inserted:n}=vt(s,t);if(o||n){let r=new Map;for(let h=i;h<i+o;h+=1)r.set(s[h].key,this.#o.at(h));let l=t.slice(i,i+n).map(h=>r.get(h.key)??this.#e.estimate(h));this.#o.splice(i,o,l),this.#T(s,t,{index:i,removed:o,inserted:n}),this.#f&&i+n===t.length&&(this.#p=!0)}if(this.#t=t,!this.#d||!t.some(r=>r.key===this.#i)){this.#d=!1;for(let r=t.length-1;r>=0;r-=1)if(z(t[r])){this.#i=t[r].key;break}}this.#w(!0)}goToEnd(){this.#f=this.#p=!0,this.#w(),this.#e.onposition()}goTo(t,e){if(!this.#t[t])return null;this.#f=this.#p=!1,this.#a||=this.element.clientHeight;let s=e==="top"?Math.min(96,this.#a/5):Math.max(24,(this.#a-this.#o.at(t))/2);return this.#r={index:t,offset:s},this.#w(),this.#z(this.#b()),this.#e.onposition(),this.row(this.#t[t].key)}row(t){for(let e of this.rows.children)if(this.#v(e)===t)return e;return null}itemAt(t){let e=t.closest("[data-key]"),s=e?this.#h.get(e):void 0;return s===void 0?null:this.#t[s]}refresh(){for(let[t,e]of this.#h){let s=this.#t[e];this.#e.updateRow(t,s,s)}this.#x([...this.#h.keys()]),this.#w()}focus(){let t=this.#t.findIndex(e=>e.key===this.#i);t>=0?this.#k(t):this.element.focus({preventScroll:!0})}#v(t){return t.closest?.("[data-key]")?.dataset.key??""}#b(){let t=Math.max(0,this.#o.total+I-this.#a);return this.#p?t:Math.max(0,Math.min(t,this.#o.top(this.#r.index)-this.#r.offset))}#T(t,e,{index:s,removed:i,inserted:o}){let{index:n}=this.#r;if(n<s)return;if(n>=s+i){this.#r.index=n+o-i;return}let r=new Map;for(let l=s;l<s+o;l+=1)r.set(e[l].key,l);for(let l=n;l<s+i;l+=1){let h=r.get(t[l].key);if(h!==void 0){this.#r.index=h;return}}this.#r.index=Math.max(0,Math.min(s+o,e.length-1))}#w(t=!1){let e=t;this.#a||=this.element.clientHeight;for(let i=0;i<4;i+=1){let n={top:this.#b(),height:this.#a,margin:kt,most:Tt},{start:r,end:l}=G(this.#o,n);if(!e&&r===this.#l&&l===this.#s)break;e=!1,this.#c(r,l)}this.#g=!0;let s=this.#b();Math.abs(this.element.scrollTop-s)>.4&&(this.element.scrollTop=s)}#c(t,e){let s=J(),i=s&&this.rows.contains(s)?this.#v(s):"",o=this.#t.slice(t,e);i&&!o.some(h=>h.key===i)&&this.element.focus({preventScroll:!0});let n=[];Y(this.rows,o,h=>h.key,h=>{let f=this.#e.makeRow(h);return f.dataset.key=h.key,this.#n.observe(f),n.push(f),B(f,h.key===this.#i),f},(h,f,x)=>{this.#e.updateRow(h,f,x),n.push(h),B(h,f.key===this.#i)});let r=this.#h;this.#h=new Map;let l=t;for(let h of this.rows.children)this.#h.set(h,l),r.delete(h),l+=1;for(let h of r.keys())this.#n.unobserve(h);this.#l=t,this.#s=e,this.#x(n),this.#m()}#m(){let{style:t}=this.rows;t.paddingTop=`${this.#o.top(this.#l)}px`,t.paddingBottom=`${this.#o.total-this.#o.top(this.#s)+I}px`}#x(t){let e=t.map(s=>s.getBoundingClientRect().height);t.forEach((s,i)=>{let o=this.#h.get(s);o!==void 0&&e[i]&&this.#o.set(o,e[i])})}#C(t){let e=!1;for(let{target:s,borderBoxSize:i}of t){let o=i[0].blockSize,n=this.#h.get(s);s===this.element?(e||=Math.abs(this.#a-o)>.1,this.#a=o):n!==void 0&&o&&Math.abs(this.#o.at(n)-o)>.1&&(this.#o.set(n,o),e=!0)}e&&(this.#m(),this.#w(),this.#e.onposition())}#S(){if(this.#a||=this.element.clientHeight,!this.#a)return;let{scrollTop:t}=this.element;if(!this.#g||Math.abs(t-this.#b())>1){this.#z(Math.max(0,t));let{start:e,end:s}=G(this.#o,{top:t,height:this.#a,margin:kt/2,most:Tt});(e<this.#l||s>this.#s)&&this.#w()}this.#g=!1,this.#e.onposition()}#z(t){let e={top:t,height:this.#a,total:this.#o.total+I};this.#f=!this.#u&&yt(e),this.#p=this.#f&&e.total-t-e.height<2;let{count:s}=this.#o,i=this.#o.find(t),o=this.#t.findIndex(z),n=i,r=()=>z(this.#t[n])&&n!==o&&this.#o.top(n)>=t;for(;n<s&&!r();)n+=1;if(n===s||this.#o.top(n)>=t+this.#a)for(n=i;n<s-1&&!z(this.#t[n]);)n+=1;this.#r={index:n,offset:this.#o.top(n)-t}}#y(t){if(!t||t===this.#i)return;let e=this.row(this.#i);e&&B(e,!1),this.#i=t,this.#d=!0;let s=this.row(t);s&&B(s,!0)}#k(t){let e=this.#t[t].key,s=this.row(e)??this.goTo(t,"center");s&&(this.#y(e),s.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"}))}#M(t){let e=t.target;if(t.altKey||t.ctrlKey||t.metaKey||e.matches("input, textarea"))return;let s=e.closest("[data-key]"),i=this.#h.get(s);if(i===void 0)return;let{key:o}=t;if(e===s&&(o==="Enter"||o===" ")){t.preventDefault(),this.#e.onopen(s,this.#t[i]);return}let n=this.#t.length-1,r=o==="ArrowUp"||o==="End"?-1:1,l={ArrowUp:i-1,ArrowDown:i+1,Home:0,End:n}[o];if(l!==void 0){for(t.preventDefault();this.#t[l]&&!z(this.#t[l]);)l+=r;this.#t[l]&&this.#k(l)}}},z=p=>p.kind==="message"||p.kind==="line";function B(p,t){p.hasAttribute("tabindex")&&(p.tabIndex=t?0:-1);for(let e of p.querySelectorAll("a, button, input, audio, video"))e.tabIndex=t?0:-1}var Ct=1600,Et=5,Kt=240,P=class{constructor(t,e,s,i={}){let{signal:o}=this.#e;this.#n=i.live??new S({summary:n=>s("announce.messages",{count:n})}),this.#o=i.toasts??new k({closeLabel:s("close"),live:this.#n}),this.element=a("section",{class:"conversation",part:"conversation",lang:s.lang,dir:s.dir}),this.#t={client:t,conversation:e,t:s,times:Q(s,i.timeZone),signal:o,root:this.element,toasts:this.#o,live:this.#n,fail:n=>void this.#o.show(v(n,s),{isFailure:!0}),start:n=>this.#L(n),jump:n=>this.#D(n),reply:n=>this.composer.reply(n),focusComposer:()=>this.composer.focus()},this.#l=i,this.#s=new q({label:s("conversation.messages"),makeRow:n=>nt(this.#t,n),updateRow:(n,r,l)=>rt(this.#t,n,r,l),estimate:st,onposition:()=>this.#j(),onopen:(n,r)=>r.kind==="message"&&C(this.#t,r,{anchor:n.querySelector(".bubble"),returnTo:n}),signal:o}),this.composer=new R(this.#t,{onsend:()=>this.#A(),onleave:()=>this.#s.focus()}),this.#h=new E(this.#t,this.#s),this.#T(),wt(this.#t,this.#s),this.#w()}#e=new AbortController;#n;#o;#t;#l;#s;#h;#a={};#r=0;#p=!1;#f=!1;#u=!0;#i=!1;#d=new Set;#g="";#v=0;#b="";async open(){let{conversation:t}=this.#t,e=t.open();this.#x(),dt(),await e;for(let s=0;s<Et&&this.#S;s+=1)await t.loadBefore();this.#u=!1,this.#e.signal.aborted||this.#x()}close(){let{signal:t}=this.#e;t.aborted||(this.#t.conversation.close(),clearTimeout(this.#v),this.#e.abort(),this.#n.clear(),ct(),this.element.remove())}focus(){this.#t.conversation.canWrite?this.composer.focus():this.#s.focus()}#T(){let{t}=this.#t,{onBack:e,onDetails:s}=this.#l,i=this.#a,o=(h,f,x)=>a("button",{type:"button",class:"icon-button","aria-label":t(h),title:t(h),onclick:x},g(f));i.avatar=a("span",{class:"header-avatar"}),i.title=a("bdi",null),i.status=a("p",{class:"hint ellipsis"}),i.back=e&&o("back","back",e),i.back?.classList.add("back"),i.details=s&&o("details","more",s);let n=a("header",{class:"conversation-header",part:"header"},i.back,i.avatar,a("div",{class:"titles"},a("h2",{class:"ellipsis"},i.title),i.status),a("slot",{name:"header"}),i.details);i.loading=a("div",{class:"page-loading",hidden:!0},a("span",{class:"spinner"}),a("span",{class:"visually-hidden"},t("conversation.loadingOlder"))),i.empty=a("div",{class:"empty",hidden:!0}),i.jumpCount=a("span",{class:"jump-text"}),i.jump=a("button",{type:"button",class:"jump",part:"jump",hidden:!0,onclick:()=>this.#A(!0)},i.jumpCount,g("arrow-down")),i.typing=a("p",{class:"typing ellipsis","aria-hidden":"true"}),i.drop=a("div",{class:"drop",hidden:!0},g("attach"),t("composer.drop")),this.element.append(n,a("div",{class:"timeline"},this.#s.element,i.empty,i.loading,i.jump),i.typing,this.composer.element,i.drop);let{live:r,toasts:l}=this.#l;r||this.element.append(this.#n.element),l||this.element.append(this.#o.element)}#w(){let{client:t,conversation:e,signal:s,t:i}=this.#t,o=$(()=>this.#x(),s);d(e,"change",()=>{this.#m()?this.#x():o()},s),d(t,"state",()=>{o(),t.state==="live"&&this.#c()},s),d(t,"message",({detail:{channel:n,message:r,isOwn:l}})=>{if(n!==e.id||l)return;let h=r.senderName??i("announcement");this.#n.message(i("announce.message",{name:h,text:X(r,i)})),(!this.#s.isFollowing||document.visibilityState==="hidden")&&(this.#r+=1),o()},s),d(document,"visibilitychange",()=>{document.visibilityState==="visible"&&(this.#c(),this.#j())},s),this.#c(),lt().then(({watchDrops:n})=>n(this.#t,this.#a.drop,r=>this.composer.addFiles(r)),()=>{})}#c(){let{client:t,times:e}=this.#t,s=t.sync.serverTime,i=e.dayKey(s);clearTimeout(this.#v),i!==this.#b&&this.#s.refresh(),this.#b=i,this.#v=setTimeout(()=>this.#c(),Math.min(e.nextMidnight(s)-s+50,36e5))}#m(){let t=this.#t.conversation.items.at(-1);return t?.kind==="message"&&t.state!=="sent"&&!this.#s.row(t.key)}#x(){let{conversation:t}=this.#t,{items:e,hasAfter:s,hasLoaded:i}=t;this.#z(),this.#s.setItems(e,s),this.#C(e,i),this.#k(),this.#M(e),this.composer.update(),this.#j()}#C(t,e){if(!t.length||!this.element.isConnected)return;let s=t.findIndex(i=>i.kind==="unread");s<0?(this.#f=!1,this.#p||this.#s.goToEnd()):(!this.#p||!this.#f&&this.#s.isFollowing)&&(this.#f=!0,this.#s.goTo(s,"top")),this.#p||=e&&!(this.#u&&this.#S)}get#S(){let{items:t,hasBefore:e,hasLoaded:s}=this.#t.conversation,i=t[t[0]?.kind==="day"?1:0];return s&&e&&(i?.kind==="unread"||t[0]?.kind==="unread")}#z(){let{conversation:t,client:e,t:s}=this.#t,{channel:i,typing:o}=t,n=this.#a;w(n.typing,U(o,s)),o.length&&this.#n.typing(U(o,s));let r=i?.name??(n.title.textContent||(t.isBanned?t.id:"")),l=i?.memberCount??0,h=this.#y(i),f=JSON.stringify([r,l,i?.kind,h]);if(f===this.#g)return;this.#g=f,this.element.classList.toggle("single",i?.kind==="single"),w(n.title,r),this.#s.rows.setAttribute("aria-label",s("conversation.messagesWith",{title:r})),n.details&&b(n.details,{"aria-label":s("conversation.details",{title:r})});let x=i?{single:"",self:s("kind.self"),open:s("count.here",{count:l}),group:s("count.members",{count:l})}[i.kind]??s("count.subscribers",{count:l}):"";w(n.status,x),n.status.hidden=!x,i&&y(n.avatar,tt({...h,name:r},{size:36,resolve:j=>e.imageURL(j)}))}#y(t){let e=this.#t.client.user.userID,s=t?.kind==="single"?t.members.find(({userID:i})=>i!==e):null;return{id:s?.userID??t?.channel??"",imageURL:s?.imageURL??t?.profile?.avatar}}#k(){let{conversation:t,t:e}=this.#t,{items:s,isLoading:i,hasLoaded:o,hasBefore:n,error:r}=t,l=this.#a,h=s.length?"":r&&(!o||n)?"error":o&&!i&&!n?"empty":"loading";l.empty.dataset.state!==h&&(l.empty.dataset.state=h,l.empty.hidden=!h,y(l.empty,h==="loading"&&[a("span",{class:"spinner"}),a("span",{class:"visually-hidden"},e("loading"))],h==="empty"&&a("slot",{name:"empty"},a("p",null,e("conversation.empty"))),h==="error"&&[!t.isBanned&&a("p",null,v(r,e)),!t.isGone&&a("button",{type:"button",class:"button",onclick:()=>t.refresh()},e("retry"))])),l.loading.hidden=!this.#i||!s.length}#M(t){let{t:e}=this.#t;for(let s=t.length-1;s>=0;s-=1){let i=t[s];if(i.kind==="message"){if(i.state==="sent")break;i.state!=="failed"?this.#d.delete(i.key):this.#d.has(i.key)||(this.#d.add(i.key),this.#n.failure(i.error?e("state.failedWhy",{reason:v(i.error,e)}):e("announce.notSent")))}}}#j(){let{conversation:t,t:e}=this.#t,{jump:s,jumpCount:i}=this.#a,{isFollowing:o,below:n}=this.#s;o&&document.visibilityState==="visible"&&(this.#r=0);let r=!this.#p||o||!(t.hasAfter||this.#r||n>Kt);s.hidden!==r&&(s.hidden=r),r||(w(i,this.#r?e("jump.new",{count:this.#r}):""),b(s,{"aria-label":this.#r?null:e("jump.newest"),title:e("jump.newest")})),this.#h.check(),this.#R()}async#R(){let{conversation:t}=this.#t;if(!this.#p||this.#i||!t.hasLoaded||this.#e.signal.aborted)return;let{above:e,below:s}=this.#s,i=t.hasBefore&&e<Ct;if(!i&&!(t.hasAfter&&s<Ct))return;this.#i=!0;let{items:o}=t;this.#k(),await(i?t.loadBefore():t.loadAfter()),this.#i=!1,this.#k(),t.items!==o&&!this.#e.signal.aborted&&this.#x()}async#A(t=!1){let{conversation:e,fail:s}=this.#t;try{e.hasAfter&&await e.loadNewest()}catch(i){return s(i)}this.#r=0,this.#s.setItems(e.items,e.hasAfter),this.#s.goToEnd(),t&&this.focus()}async#D(t){let{conversation:e,t:s}=this.#t,i=()=>e.items.findIndex(r=>r.kind==="message"&&r.message.messageID===t);try{i()<0&&await e.loadAround(t)}catch{}let o=i();if(o<0){this.#o.show(s("reply.unavailable"));return}this.#s.setItems(e.items,e.hasAfter);let n=this.#s.goTo(o,"center");n&&(n.focus({preventScroll:!0}),n.classList.remove("is-found"),n.offsetWidth,n.classList.add("is-found"),d(n,"animationend",()=>n.classList.remove("is-found"),this.#e.signal,{once:!0}))}async#L(t){let{client:e,fail:s}=this.#t;try{let i=await e.startConversation(t);this.#l.onOpen?.(i)}catch(i){s(i)}}};var St=T(`
:host { height: 100%; min-height: 240px; contain: layout; overflow: hidden; container-type: inline-size; }
.frame { position: relative; display: flex; flex-direction: column; height: 100%; min-height: 0;
  padding-bottom: var(--roost-keyboard, 0px); }
.panes { flex: 1; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; min-width: 0; }
.panes.has-list { grid-template-columns: clamp(280px, 32%, 380px) minmax(0, 1fr); }
.list-pane { min-width: 0; min-height: 0; border-inline-end: 1px solid var(--roost-line); }
.conversation-pane { position: relative; min-width: 0; min-height: 0; }
.placeholder { height: 100%; display: grid; place-content: center; justify-items: center; gap: 8px; padding: 24px;
  text-align: center; color: var(--roost-text-2); background: var(--roost-surface); }
.placeholder .icon { width: 48px; height: 48px; stroke-width: 1.25; color: var(--roost-accent); }
.placeholder h2 { color: var(--roost-text); }
.connection { display: flex; align-items: center; justify-content: center; gap: 8px; min-height: 36px; flex: none;
  padding: 6px 16px; text-align: center; font-size: var(--roost-size-1); font-weight: 500; color: var(--roost-text);
  background: var(--roost-mark); }
.connection .icon { width: 16px; height: 16px; }
.conversation.is-over .back { display: inline-grid; }
@container (max-width: 720px) {
  .panes.has-list { grid-template-columns: minmax(0, 1fr); }
  .list-pane { border: 0; }
  .panes.has-list > .conversation-pane, .panes.is-open > .list-pane { display: none; }
  .panes.is-open > .conversation-pane { display: block; }
  .panes.has-list .conversation .back { display: inline-grid; }
}
`);var jt=T(`
.has-media { padding: 4px; overflow: hidden; }
.has-media .text { padding: 5px 8px 3px; max-width: 340px; }
.has-media .forwarded { padding: 2px 8px; }
.media { position: relative; display: block; width: var(--width); max-width: 100%; aspect-ratio: var(--ratio);
  border-radius: 12px; overflow: hidden; background: color-mix(in srgb, var(--roost-text) 8%, transparent); }
.own .media { border-end-end-radius: 3px; }
.other .media { border-start-start-radius: 3px; }
.media .open { position: absolute; inset: 0; width: 100%; height: 100%; border-radius: inherit; }
.media .open:focus-visible { outline-offset: -4px; }
.media canvas, .media img, .media video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.media.sticker { background: none; }
.media.sticker img { object-fit: contain; }
.media img, .media video { opacity: 0; transition: opacity 160ms; }
.media.is-loaded img, .media.is-loaded video { opacity: 1; }
.play { position: absolute; inset: 50% auto auto 50%; z-index: 1; display: grid;
  place-items: center; width: 52px; height: 52px; margin: -26px 0 0 -26px; border-radius: 50%; color: #fff;
  background: #0009; }
.media .chip { position: absolute; inset: auto auto 8px 8px; z-index: 1; padding: 1px 8px; border-radius: 10px;
  font-size: 12px; color: #fff; background: #000a; }
.media .failure { position: absolute; inset: 0; display: grid; place-content: center; padding: 12px; text-align: center;
  font-size: var(--roost-size-1); color: var(--roost-text-2); }
.is-media > .meta { position: absolute; inset-block-end: 10px; inset-inline-end: 10px; margin: 0; padding: 1px 8px;
  border-radius: 10px; color: #fff; background: #000a; pointer-events: none; }
.is-media > .meta:not(:has(:not(.visually-hidden))) { display: none; }
.progress { position: absolute; inset: 0; z-index: 2; display: grid; place-items: center; background: #0005; }
.progress > [role="progressbar"] { pointer-events: none; position: absolute; inset: 50% auto auto 50%;
  width: 52px; height: 52px;
  margin: -26px 0 0 -26px; border-radius: 50%;
  background: conic-gradient(var(--roost-accent) var(--progress, 0%), #fff6 0);
  mask: radial-gradient(closest-side, transparent 86%, #000 88%); }
.progress .icon-button { position: relative; color: #fff; background: #0009; }
.progress .icon-button:hover:enabled { color: #fff; background: #000c; }

.document { position: relative; display: block; min-width: 0; }
.document .open { display: flex; align-items: center; gap: 12px; min-height: 48px;
  min-width: 0; max-width: 100%; padding: 2px 4px 2px 0; border-radius: 10px; }
.sign { display: grid; place-items: center; flex: none; width: 44px; height: 44px; border-radius: 10px;
  color: var(--roost-accent); background: color-mix(in srgb, var(--roost-accent) 14%, transparent); }
.lines-of-file { display: grid; min-width: 0; }
.file-name { justify-self: start; overflow-wrap: anywhere; font-weight: 500; }
.document .progress, .voice .progress { inset: 2px auto auto 0; width: 44px; height: 44px; border-radius: 10px;
  background: var(--roost-surface); }
.document .progress > [role="progressbar"], .voice .progress > [role="progressbar"] { width: 40px; height: 40px;
  margin: -20px 0 0 -20px; background: conic-gradient(var(--roost-accent) var(--progress, 0%), var(--roost-line) 0); }
.document .progress .icon-button, .voice .progress .icon-button { width: 44px; height: 44px; background: none;
  color: var(--roost-text-2); }
.document:dir(rtl) .progress, .voice:dir(rtl) .progress { inset: 2px 0 auto auto; }

.voice { position: relative; display: flex; align-items: center; gap: 8px; width: 260px; max-width: 100%;
  min-height: 44px; }
.voice .icon-button { background: color-mix(in srgb, var(--roost-accent) 14%, transparent); }
.voice .hint { min-width: 3em; text-align: end; font-variant-numeric: tabular-nums; }
input[type="range"] { flex: 1; min-width: 0; height: 24px; margin: 0; accent-color: var(--roost-accent);
  cursor: pointer; }

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
/* An empty field with dir="auto" is left-to-right. */
[dir="rtl"] .field-text:placeholder-shown { direction: rtl; }
.field-text::placeholder { color: var(--roost-text-2); opacity: 1; overflow: hidden; white-space: nowrap; }
.counter { display: block; padding: 0 16px 8px; font-size: var(--roost-size-1); color: var(--roost-text-2);
  text-align: end; }
.counter.is-near { color: var(--roost-danger); font-weight: 600; }
.replying { display: flex; align-items: center; gap: 4px; padding: 6px 1px 0 12px; }
.replying:dir(rtl) { padding: 6px 12px 0 1px; }
.replying .quote { flex: 1; }
.scheduled { padding: 4px 4px 0; border-bottom: 1px solid var(--roost-line); }
.scheduled > .item { font-size: var(--roost-size-1); color: var(--roost-text-2); border-radius: 18px; }
.scheduled [aria-expanded="true"] .icon:last-child { rotate: 180deg; }
.scheduled ul { max-height: 30dvh; overflow: auto; }
.scheduled li { display: flex; align-items: center; gap: 8px; min-height: 52px; padding: 4px 4px 4px 12px; }
.scheduled li .grow { display: grid; }
.recording-line { flex: 1; display: flex; align-items: center; gap: 8px; font-variant-numeric: tabular-nums; }
.recording .dot { width: 10px; height: 10px; border-radius: 50%; background: var(--roost-danger);
  animation: roost-blink 1.2s ease-in-out infinite alternate; }
@keyframes roost-blink { to { opacity: .25; } }
@container (max-width: 560px) {
  .composer { padding: 0 8px calc(8px + env(safe-area-inset-bottom, 0px)); }
}
@container (max-width: 380px) { .emoji-button { display: none; } }
@media (forced-colors: active) { .media, .bar, .document { border: 1px solid CanvasText; } }
`);var It=1500,F=class extends HTMLElement{constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[Z,gt,jt,St],this.#e=a("div",{class:"connection",part:"connection",hidden:!0}),this.#n=a("div",{class:"list-pane",hidden:!0}),this.#o=a("div",{class:"conversation-pane"}),this.#t=a("div",{class:"panes"},this.#n,this.#o),this.#l=a("div",{class:"frame"},this.#e,this.#t),t.append(this.#l)}static get observedAttributes(){return["server","token","guest","channel","user","lang","mode"]}#e;#n;#o;#t;#l;#s=_("en");#h=new S({summary:t=>this.#s("announce.messages",{count:t})});#a=new k({closeLabel:"",live:this.#h});#r=null;#p=!1;#f=null;#u=new AbortController;#i=null;#d=null;#g=[];#v=!1;#b=!1;get client(){return this.#r}get conversation(){let t=this.#g.at(-1);return t&&this.#r?.conversation(t)||null}get list(){return this.#i}get texts(){return this.#s}connectedCallback(){this.#r||this.#w()}disconnectedCallback(){queueMicrotask(()=>{this.isConnected||this.#m()})}attributeChangedCallback(t,e,s){e===s||!this.isConnected||(t==="channel"||t==="user"||t==="mode"?this.#z():t==="lang"?this.#S():this.#w())}async connect(t={}){this.#m();let{client:e,...s}=t;this.#f=s,this.#u=new AbortController;let{signal:i}=this.#u,o=e??H(this.#c());this.#r=o,this.#p=!e;for(let r of["message","unread","error"])d(o,r,({detail:l})=>this.#T(r,l),i);d(o,"state",()=>this.#A(),i);let n=setTimeout(()=>{this.#b=!0,this.#A()},It);d(i,"abort",()=>clearTimeout(n)),this.#D(i),d(this.#l,"keydown",r=>this.#L(r),i),this.#s=await W(this.getAttribute("lang")||null),!i.aborted&&(this.#A(),await o.ready,!i.aborted&&(await this.#C(),await this.#z(),i.aborted||this.#T("ready")))}open(t){if(t===(this.#g.at(-1)??null)){this.#d?.focus();return}this.#g=t?[t]:[],this.#y()}focus(){this.#d?this.#d.focus():this.#i?.focus()}#T(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e,composed:!0}))}#w(){this.#v||(this.#v=!0,queueMicrotask(()=>{this.#v=!1;let{token:t,guest:e}=this.#c();this.isConnected&&(t||e)&&this.connect(this.#f??{})}))}#c(){let[t,...e]=(this.getAttribute("guest")??"").split(" ");return{server:this.getAttribute("server")??void 0,token:this.getAttribute("token")??void 0,guest:t?{userID:t,name:e.join(" ")||void 0}:void 0,...this.#f}}#m(){this.#u.abort(),this.#d?.close(),this.#i?.destroy(),this.#d=this.#i=null,this.#g=[],this.#n.replaceChildren(),this.#o.replaceChildren(),this.#p&&this.#r?.close(),this.#r=null,this.#b=!1,this.#e.hidden=!0}get#x(){return this.getAttribute("mode")==="both"||!(this.hasAttribute("channel")||this.hasAttribute("user"))}async#C(){let t=this.#r,e=this.#s;if(b(this.#l,{lang:e.lang,dir:e.dir}),this.#a.element.remove(),this.#h.element.remove(),this.#a=new k({closeLabel:e("close"),live:this.#h}),this.#l.append(this.#a.element,this.#h.element),this.#i?.destroy(),this.#i=null,this.#n.hidden=!this.#x,this.#t.classList.toggle("has-list",this.#x),this.#n.replaceChildren(),!this.#x)return;let{signal:s}=this.#u,{ChannelListView:i}=await import("./chunks/list-view-65HYE7V4.js");s.aborted||this.#i||e!==this.#s||!this.#x||(this.#i=new i(t,e,{onSelect:o=>this.open(o),onFailure:this.#j,isDev:Boolean(this.#c().guest)}),this.#n.append(this.#i.element))}async#S(){let{signal:t}=this.#u;!this.#r||t.aborted||(this.#s=await W(this.getAttribute("lang")||null),!t.aborted&&(await this.#C(),!t.aborted&&(this.#y(),this.#A())))}async#z(){let t=this.#r;if(!t||(Boolean(this.#i)!==this.#x&&await this.#C(),this.#r!==t))return;let e=this.getAttribute("channel"),s=this.getAttribute("user");if(!e&&s)try{e=await t.startConversation(s)}catch(i){this.#j(i)}this.#r===t&&(this.#g=e?[e]:[],this.#y())}#y(){let t=this.#r,e=this.#g.at(-1)??null,s=this.#d?.element.contains(this.shadowRoot?.activeElement??null);if(this.#d?.close(),this.#d=null,this.#i?.select(e),this.#t.classList.toggle("is-open",e!==null),this.#o.replaceChildren(),e){let i=this.#g.length>1,o=new P(t,t.conversation(e),this.#s,{onBack:i||this.#i?()=>this.#M():void 0,onDetails:()=>this.#R(e),onOpen:n=>this.#k(n),live:this.#h,toasts:this.#a});o.element.classList.toggle("is-over",i),this.#d=o,this.#o.append(o.element),o.open().catch(this.#j),(s||this.#i&&matchMedia("(hover: hover)").matches)&&o.focus()}else{let i=this.#s;this.#o.append(a("div",{class:"placeholder"},a("slot",{name:"empty"},g("conversation"),a("h2",null,i("conversation.none")),a("p",null,i("conversation.noneHint"))))),s&&this.#i?.focus()}this.#T("open",{channel:e})}#k(t){if(this.#i)return this.open(t);this.#g.push(t),this.#y()}#M(){let t=this.#g.pop();this.#i&&(this.#g=[]),this.#y(),this.#T("close",{channel:t}),this.#i?this.#i.focus():this.#d?.focus()}#j=t=>void this.#a.show(v(t,this.#s),{isFailure:!0});#R=N(async t=>{let e=this.#r,{openDetails:s}=await import("./chunks/details-view-XBDRLV4Y.js");s({client:e,conversation:e.conversation(t),t:this.#s,root:this.#l,fail:this.#j,toasts:this.#a,start:N(async i=>this.#k(await e.startConversation(i)),this.#j),open:i=>this.#k(i)})},this.#j);#A(){let t=this.#s,{state:e,error:s}=this.#r??{state:"closed",error:null},i={connecting:this.#b?t("connection.connecting"):"",offline:t("connection.offline"),refused:v(s,t)}[e]??"",o=this.#e.textContent;o===i&&this.#e.hidden===!i||(this.#e.hidden=!i,y(this.#e,i&&[g(e==="refused"?"warning":"offline"),a("span",null,i)]),!(!o&&!i)&&(e==="refused"?this.#h.failure(i):this.#h.note(i||t("connection.back"))))}#D(t){let e=window.visualViewport;e&&d(e,"resize scroll",()=>{let s=this.matches(":focus-within")?Math.max(0,this.getBoundingClientRect().bottom-e.height-e.offsetTop):0,i=e.scale===1&&innerHeight-e.height>120;this.#l.style.setProperty("--roost-keyboard",`${i?s:0}px`)},t)}#L(t){if(t.altKey&&!t.ctrlKey&&!t.metaKey&&(t.key==="ArrowUp"||t.key==="ArrowDown")){if(!this.#i)return;t.preventDefault(),this.#i.selectNext(t.key==="ArrowUp"?-1:1)}else(t.ctrlKey||t.metaKey)&&!t.altKey&&t.key.toLowerCase()==="k"&&this.#i&&(t.preventDefault(),this.#t.classList.contains("is-open")&&!this.#i.element.offsetParent&&this.open(null),this.#i.focusSearch())}};customElements.get("roost-chat")||customElements.define("roost-chat",F);export{F as RoostChatElement,H as connect};
