import{a as Q}from"./chunks/chunk-FFKMZ6CZ.js";import{a as st,b as ot,c as nt,d as rt,e as at}from"./chunks/chunk-BEEIZK4C.js";import{b as $,g as W,h as v}from"./chunks/chunk-NCSJWSKV.js";import{e as it}from"./chunks/chunk-C4QV6PMF.js";import{c as et}from"./chunks/chunk-LSNBUR5X.js";import{a as tt}from"./chunks/chunk-3SPLQPUW.js";import{a as lt,b as ht,d as ct,e as C,f as dt,g as E,h as pt,i as ut}from"./chunks/chunk-OLZYJGND.js";import{e as U}from"./chunks/chunk-MCWYXTOV.js";import"./chunks/chunk-OOVVHRXF.js";import"./chunks/chunk-G2PI7OJO.js";import"./chunks/chunk-A5MNZM34.js";import{b as Y,c as N}from"./chunks/chunk-HIZWWBGZ.js";import{a as m}from"./chunks/chunk-6QMQLI42.js";import{a as T,c as Z}from"./chunks/chunk-3V6VE2WQ.js";import{a,b,c as y,d as w,e as L,f as d,g as _,h as G,i as J}from"./chunks/chunk-FGL23BOC.js";import"./chunks/chunk-MRYQ45LQ.js";var S=class{constructor({summary:t,burst:e=2,wait:s=800}){this.#e=t,this.#n=e,this.#s=s,this.#t=a("div",{"aria-live":"polite","aria-atomic":"true"}),this.#l=a("div",{role:"alert","aria-atomic":"true"}),this.element=a("div",{class:"visually-hidden"},this.#t,this.#l)}#e;#n;#s;#t;#l;#i=[];#h="";#a="";#r=0;#d=-1/0;message(t){this.#i.push(t),this.#a="",this.#c()}note(t){this.#h=t,this.#c()}typing(t){let e=performance.now();t||(this.#a=""),!(!t||e-this.#d<1e4||this.#i.length)&&(this.#d=e,this.#a=t,this.#c())}failure(t){this.#l.textContent="",this.#l.textContent=t}clear(){clearTimeout(this.#r),this.#r=0,this.#i=[],this.#h=this.#a=""}#c(){this.#r||=setTimeout(()=>{let t=this.#i,s=[...t.length>this.#n?[this.#e(t.length)]:t,this.#h,this.#a].filter(Boolean);s.length&&(this.#t.textContent=s.join(". ")),this.clear()},this.#s)}};var k=class{constructor({closeLabel:t,live:e}){this.#e=t,this.#n=e,this.element=a("div",{class:"toasts"})}#e;#n;show(t,{isFailure:e=!1,action:s}={}){for(let l of this.element.children)l.firstChild?.textContent===t&&l.remove();let i=0,o=()=>{clearTimeout(i),r.remove()},n=()=>{clearTimeout(i),e||(i=setTimeout(o,6e3))},r=a("div",{class:"toast",part:"toast",dir:"auto"},a("span",null,t),s&&a("button",{type:"button",class:"button",onclick:()=>{o(),s.run()}},s.label),a("button",{type:"button",class:"icon-button","aria-label":this.#e,onclick:o},m("close")));for(d(r,"pointerenter focusin",()=>clearTimeout(i)),d(r,"pointerleave focusout",n),this.element.append(r);this.element.children.length>3;)this.element.firstChild?.remove();return n(),e?this.#n?.failure(t):this.#n?.note(t),o}};var ft=T(`
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
`);var Ct=typeof MediaRecorder<"u"&&Boolean(navigator.mediaDevices),St=200,R=class{constructor(t,{onsend:e,onleave:s}){let{t:i,signal:o}=t;this.#e=t,this.#n=e,this.#s=s,this.field=a("textarea",{class:"field-text",rows:"1",dir:"auto",part:"field","aria-label":i("composer.label"),enterkeyhint:"send",autocapitalize:"sentences",autocomplete:"off"}),this.#t=a("div",{class:"grow-field"},this.field),this.#l=a("span",{class:"counter",hidden:!0}),this.#i=this.#v("composer.more","add",()=>this.#E()),this.#h=this.#v("composer.emoji","emoji",()=>this.#K()),this.#h.classList.add("emoji-button"),this.#a=this.#v("composer.send","send",()=>this.send()),this.#a.classList.add("primary"),this.#r=this.#v("composer.record","microphone",()=>this.#q()),this.#d=a("div",{class:"replying",hidden:!0}),this.#c=a("div",{class:"scheduled",hidden:!0}),this.#p=a("div",{class:"line"},this.#i,this.#t,this.#h,this.#r,this.#a),this.#u=a("div",{class:"line recording",hidden:!0}),this.#w=a("p",{class:"note",hidden:!0}),this.#x=a("div",{class:"bar"},this.#c,this.#d,this.#p,this.#u,this.#l),this.element=a("div",{class:"composer",part:"composer"},this.#x,this.#w),d(this.field,"input",()=>this.#y(),o),d(this.field,"keydown",n=>this.#M(n),o),d(this.field,"paste",n=>this.#L(n),o),d(this.field,"select click keyup",()=>this.#f?.update(this.#m,this.#b),o),d(this.field,"blur",()=>this.#f?.close(),o),d(o,"abort",()=>{this.#I(),this.#o?.clear()}),this.update(),this.#z(t.conversation.draft)}#e;#n;#s;#t;#l;#i;#h;#a;#r;#d;#c;#f=null;#o=null;#p;#u;#w;#x;#m="";#b=[];#k=null;#C=null;#g={};focus(){this.#x.hidden||this.field.focus({preventScroll:!0})}update(){let{conversation:t,t:e}=this.#e,{canWrite:s,isGone:i,channel:o,schedules:n}=t;(this.#g.canWrite!==s||this.#g.isGone!==i)&&(this.#x.hidden=!s,this.#w.hidden=s,w(this.#w,s?"":e(i?"conversation.left":"conversation.news"))),this.#g.name!==o?.name&&(this.field.placeholder=o?.kind==="single"?e("composer.placeholderTo",{name:o.name}):e("composer.placeholder")),this.#g.schedules!==n&&this.#F(),this.#g={canWrite:s,isGone:i,name:o?.name,schedules:n}}reply(t){let{t:e,client:s}=this.#e;this.#k=t,this.#d.hidden=!t,y(this.#d,t&&[st(this.#e,t,t.senderID===s.user.userID),this.#v("reply.cancel","close",()=>this.reply(null))]),b(this.#d,{role:"group","aria-label":t&&e("reply.to",{name:t.senderName??""})}),this.focus()}send(){let{conversation:t}=this.#e,e=this.#m,s=this.#k??void 0,i=/\S/.test(e);!t.canWrite||this.#T<0||!(i||this.#S)||(this.#S?this.#o?.send({text:i?e:"",replyTo:s}):t.send({text:e,mentions:this.#b,replyTo:s}),this.#b=[],this.#z(""),this.#y(),this.reply(null),this.#n())}async addFiles(t){(await this.#j())?.add(t)}async#j(){try{let{Attachments:t}=await lt();this.#o||(this.#o=new t(this.#e,()=>this.#D()),this.#p.before(this.#o.element))}catch(t){this.#e.fail(t)}return this.#o}get#S(){return this.#o?.count??0}async#A(){if(!(!this.#f&&!this.#m.includes("@"))){if(!this.#f){let{MentionPopup:t}=await ht();this.#f??=new t(this.#e,this.field,e=>{this.#b=e.mentions,this.#z(e.text,e.cursor),this.#y()}),this.#x.prepend(this.#f.element)}this.#f.update(this.#m,this.#b)}}get#T(){return(this.#e.client.limits?.textLength??8e3)-this.#m.length}#v(t,e,s){let i=this.#e.t(t);return a("button",{type:"button",class:"icon-button","aria-label":i,title:i,onclick:s,onpointerdown:o=>o.preventDefault()},m(e))}#z(t,e=t.length){this.field.value=t,this.field.setSelectionRange(e,e),this.#m=t,this.#D()}#y(){let{conversation:t}=this.#e,e=this.field.value;this.#b=et(this.#b,this.#m,e),this.#m=e,t.setDraft(e),e?t.userIsTyping():t.userStoppedTyping(),this.#D(),this.#A().catch(()=>{})}#D(){let{t}=this.#e;this.#t.dataset.text=this.#m;let e=this.#T,s=/\S/.test(this.#m)||this.#S>0;this.#a.disabled=!s||e<0,this.#r.hidden=s||!Ct,this.#a.hidden=!this.#r.hidden;let i=e<=St;this.#l.hidden=!i,i&&(w(this.#l,e<0?t("composer.tooLong",{count:-e}):t("composer.charactersLeft",{count:e})),this.#l.classList.toggle("is-near",e<=10),b(this.field,{"aria-invalid":e<0?"true":null}))}#M(t){t.isComposing||t.keyCode===229||(this.#f?.keyPressed(t)?(t.preventDefault(),t.stopPropagation()):t.key==="Enter"&&!t.shiftKey&&!t.altKey&&!t.ctrlKey&&!t.metaKey?(t.preventDefault(),this.send()):t.key==="Escape"&&this.#k?(t.preventDefault(),t.stopPropagation(),this.reply(null)):t.key==="ArrowUp"&&!this.#m&&!t.shiftKey&&(t.preventDefault(),this.#s()))}#L(t){let e=[...t.clipboardData?.files??[]];!e.length||t.clipboardData?.types.includes("text/plain")||(t.preventDefault(),this.addFiles(e))}#E(){pt(this.#e,{anchor:this.#i,returnTo:this.field,text:this.#T<0||this.#S?"":this.#m,pick:async t=>(await this.#j())?.pick(t),onsend:this.#n,onscheduled:()=>{this.#z(""),this.#y()}})}#K(){E(this.#e,{anchor:this.#h,returnTo:this.field,onpick:t=>{let{selectionStart:e,selectionEnd:s}=this.field;this.field.setRangeText(t,e,s,"end"),this.#y()}})}#F(){let{conversation:t,t:e,times:s,fail:i}=this.#e,{schedules:o}=t;if(this.#c.hidden=!o.length,!o.length)return this.#c.replaceChildren();if(!this.#c.firstChild){let l=a("ul",{hidden:!0}),c=a("button",{type:"button",class:"item","aria-expanded":"false",onclick:()=>{l.hidden=!l.hidden,b(c,{"aria-expanded":`${!l.hidden}`})}},m("clock"),a("span",{class:"grow"}),m("chevron-down"));this.#c.append(c,l)}let[n,r]=this.#c.children;w(n.children[1],e("schedule.count",{count:o.length})),L(r,o,l=>l.scheduleID,l=>{let c=l.subject??l.messages.map(x=>x.text).join(`
`),f=e("schedule.item",{time:s.momentText(l.sendAt,Date.now())});return a("li",null,a("span",{class:"grow"},a("span",{class:"ellipsis",dir:"auto"},c),a("time",{class:"hint",datetime:s.isoText(l.sendAt)},f)),a("button",{type:"button",class:"button quiet",onclick:()=>t.cancelSchedule(l.scheduleID).catch(i)},e("schedule.cancel")))})}#q(){this.#I(),this.#C=new AbortController;let{signal:t}=this.#C;ut(this.#e,{bar:this.#u,signal:t,onstart:()=>this.#R(!0),onend:e=>{if(t.aborted||(this.#R(!1),this.focus(),!e))return;let{blob:s,name:i,durationMs:o}=e,n=this.#k??void 0;this.#e.conversation.sendFile(s,{name:i,type:"voice",durationMs:o,replyTo:n}),this.reply(null),this.#n()}})}#R(t){this.#p.hidden=t,this.#u.hidden=!t}#I(){this.#C?.abort()}};var jt=500,I=class{constructor(t,e){this.#e=t,this.#n=e;let s=new IntersectionObserver(i=>{this.#s=i[i.length-1].isIntersecting,this.check()});s.observe(e.element),d(t.signal,"abort",()=>{s.disconnect(),clearTimeout(this.#t)})}#e;#n;#s=!1;#t=0;check(){if(this.#t||!this.#l)return;let{conversation:t}=this.#e,{seq:e=0,readSeq:s=0,isMarkedUnread:i}=t.channel??{};e<=s&&!i||(this.#t=setTimeout(()=>{this.#t=0,this.#l&&(t.markRead(e),(t.channel?.seq??0)>e&&this.check())},jt))}get#l(){let{conversation:t,client:e}=this.#e;return this.#s&&document.visibilityState==="visible"&&e.state==="live"&&t.hasLoaded&&!t.hasAfter&&!t.isGone&&t.channel?.kind!=="open"&&this.#n.isFollowing}};var At=450,zt=8;function mt(p,t){let{t:e,signal:s,conversation:i}=p,{rows:o}=t,n=h=>h.closest("a, button, input, label, video, .media"),r=h=>{let u=t.itemAt(h);return u?.kind==="message"?u:null},l=h=>h.closest("[data-key]"),c=0,[f,x]=[0,0],j=!1,M=!1;d(o,"pointerdown",h=>{[f,x,j,M]=[h.clientX,h.clientY,!1,!1],clearTimeout(c);let u=r(h.target);h.pointerType==="mouse"||!u||h.target.closest("input, .progress")||(c=setTimeout(()=>{M=!0,C(p,u,{point:{x:f,y:x},returnTo:l(h.target)})},At))},s),d(o,"pointermove",h=>{Math.hypot(h.clientX-f,h.clientY-x)<zt||(j=!0,clearTimeout(c))},s,{passive:!0}),d(o,"pointerup pointercancel pointerleave",()=>clearTimeout(c),s),d(o,"click",h=>{M&&(h.preventDefault(),h.stopPropagation())},s,{capture:!0}),d(o,"click",h=>{let u=r(h.target);if(!u)return;let g=h.target.closest("[data-more]");g?C(p,u,{anchor:g,returnTo:h.detail?l(g):g}):i.channel?.kind==="open"&&!j&&!n(h.target)&&nt(u)&&dt(p,u.message)},s),d(o,"contextmenu",h=>{let u=r(h.target),g=getSelection(),D=g&&!g.isCollapsed&&h.button===2;if(!u||D||h.target.closest("a, video")||(h.preventDefault(),clearTimeout(c),M))return;let A=l(h.target),Tt=h.button!==2&&h.pointerType!=="touch"?{anchor:A.querySelector(".bubble")}:{point:{x:h.clientX,y:h.clientY}};C(p,u,{...Tt,returnTo:A})},s),d(o,"keydown",h=>{if(!(h.ctrlKey||h.metaKey||h.altKey)){if(h.key==="Escape")p.focusComposer();else if(h.key==="r"&&h.target===l(h.target)){let u=r(h.target);if(!u?.message.messageID||u.message.recall||!i.canWrite)return;h.preventDefault(),p.reply(u.message)}}},s);let X=(h,u,g)=>a("button",{type:"button",class:"icon-button",tabindex:"-1","aria-label":e(h),title:e(h),onclick:D=>{let A=r(D.target);A&&g(A,D.currentTarget)}},m(u)),H=a("span",{class:"tools"},X("message.react","emoji",({message:h},u)=>E(p,{anchor:u,returnTo:l(u),onpick:g=>i.react(h.messageID??"",g).catch(p.fail)})),X("message.reply","reply",({message:h})=>p.reply(h)));d(o,"pointerover",h=>{if(h.pointerType!=="mouse"||!i.canWrite)return;let u=l(h.target);if(!u||H.parentElement===u)return;let g=r(u);g?.message.messageID&&!g.message.recall?u.append(H):H.remove()},s,{passive:!0})}var K=class{#e=[];#n=[0];get count(){return this.#e.length}get total(){return this.top(this.count)}at(t){return this.#e[t]}splice(t,e,s){let i=t===this.count&&!e;if(this.#e.splice(t,e,...s),i)for(let o=t;o<this.count;o+=1)this.#s(o);else this.#t()}set(t,e){let s=e-this.#e[t];if(!s)return 0;this.#e[t]=e;for(let i=t+1;i<=this.count;i+=i&-i)this.#n[i]+=s;return s}top(t){let e=0;for(let s=t;s>0;s-=s&-s)e+=this.#n[s];return e}find(t){let e=0,s=t,i=1;for(;i*2<=this.count;)i*=2;for(;i;i=Math.floor(i/2))e+i<=this.count&&this.#n[e+i]<=s&&(e+=i,s-=this.#n[e]);return Math.max(0,Math.min(e,this.count-1))}#s(t){let e=t+1,s=this.#e[t];for(let i=e-1,o=e-(e&-e);i>o;i-=i&-i)s+=this.#n[i];this.#n[e]=s}#t(){this.#n.length=1;for(let t=0;t<this.count;t+=1)this.#s(t)}};function gt(p,t){let e=Math.min(p.length,t.length),s=(n,r)=>n===r||n.key===r.key,i=0;for(;i<e&&s(p[i],t[i]);)i+=1;let o=0;for(;o<e-i&&s(p[p.length-1-o],t[t.length-1-o]);)o+=1;return{index:i,removed:p.length-i-o,inserted:t.length-i-o}}function V(p,{top:t,height:e,margin:s,most:i}){if(!p.count)return{start:0,end:0};let o=p.find(t-s),n=p.find(t+e+s)+1;if(n-o>i){let r=p.find(t+e/2);o=Math.max(o,r-Math.floor(i/2)),n=Math.min(n,o+i)}return{start:o,end:n}}function xt({top:p,height:t,total:e}){return e-p-t<=80}var bt=600,wt=240,F=12,P=class{constructor(t){this.#e=t,this.rows=a("div",{class:"rows",role:"list","aria-label":t.label,part:"timeline"}),this.element=a("div",{class:"scroller",tabindex:"-1"},this.rows);let{signal:e}=t;d(this.element,"scroll",()=>this.#S(),e,{passive:!0}),d(this.rows,"keydown",i=>this.#z(i),e),d(this.rows,"focusin",i=>this.#T(this.#w(i.target)),e);let s=new ResizeObserver(i=>this.#j(i));s.observe(this.element),this.#n=s,d(e,"abort",()=>s.disconnect())}#e;#n;#s=new K;#t=[];#l=0;#i=0;#h=new Map;#a=0;#r={index:0,offset:0};#d=!0;#c=!0;#f=!1;#o="";#p=!1;#u=!1;get isFollowing(){return this.#c}get above(){return this.#x()}get below(){return Math.max(0,this.#s.total+F-this.#x()-this.#a)}setItems(t,e){let s=this.#t;if(e&&!this.#f&&this.#A(this.#x()),this.#f=e,e&&(this.#c=this.#d=!1),t===s)return;let{index:i,removed:o,inserted:n}=gt(s,t);if(o||n){let r=new Map;for(let c=i;c<i+o;c+=1)r.set(s[c].key,this.#s.at(c));let l=t.slice(i,i+n).map(c=>r.get(c.key)??this.#e.estimate(c));this.#s.splice(i,o,l),this.#m(s,t,{index:i,removed:o,inserted:n}),this.#c&&i+n===t.length&&(this.#d=!0)}if(this.#t=t,!this.#p||!t.some(r=>r.key===this.#o)){this.#p=!1;for(let r=t.length-1;r>=0;r-=1)if(z(t[r])){this.#o=t[r].key;break}}this.#b(!0)}goToEnd(){this.#c=this.#d=!0,this.#b(),this.#e.onposition()}goTo(t,e){if(!this.#t[t])return null;this.#c=this.#d=!1,this.#a||=this.element.clientHeight;let s=e==="top"?Math.min(96,this.#a/5):Math.max(24,(this.#a-this.#s.at(t))/2);return this.#r={index:t,offset:s},this.#b(),this.#A(this.#x()),this.#e.onposition(),this.row(this.#t[t].key)}row(t){for(let e of this.rows.children)if(this.#w(e)===t)return e;return null}itemAt(t){let e=t.closest("[data-key]"),s=e?this.#h.get(e):void 0;return s===void 0?null:this.#t[s]}refresh(){for(let[t,e]of this.#h){let s=this.#t[e];this.#e.updateRow(t,s,s)}this.#g([...this.#h.keys()]),this.#b()}focus(){let t=this.#t.findIndex(e=>e.key===this.#o);t>=0?this.#v(t):this.element.focus({preventScroll:!0})}#w(t){return t.closest?.("[data-key]")?.dataset.key??""}#x(){let t=Math.max(0,this.#s.total+F-this.#a);return this.#d?t:Math.max(0,Math.min(t,this.#s.top(this.#r.index)-this.#r.offset))}#m(t,e,{index:s,removed:i,inserted:o}){let{index:n}=this.#r;if(n<s)return;if(n>=s+i){this.#r.index=n+o-i;return}let r=new Map;for(let l=s;l<s+o;l+=1)r.set(e[l].key,l);for(let l=n;l<s+i;l+=1){let c=r.get(t[l].key);if(c!==void 0){this.#r.index=c;return}}this.#r.index=Math.max(0,Math.min(s+o,e.length-1))}#b(t=!1){let e=t;this.#a||=this.element.clientHeight;for(let i=0;i<4;i+=1){let n={top:this.#x(),height:this.#a,margin:bt,most:wt},{start:r,end:l}=V(this.#s,n);if(!e&&r===this.#l&&l===this.#i)break;e=!1,this.#k(r,l)}this.#u=!0;let s=this.#x();Math.abs(this.element.scrollTop-s)>.4&&(this.element.scrollTop=s)}#k(t,e){let s=J(),i=s&&this.rows.contains(s)?this.#w(s):"",o=this.#t.slice(t,e);i&&!o.some(c=>c.key===i)&&this.element.focus({preventScroll:!0});let n=[];L(this.rows,o,c=>c.key,c=>{let f=this.#e.makeRow(c);return f.dataset.key=c.key,this.#n.observe(f),n.push(f),q(f,c.key===this.#o),f},(c,f,x)=>{this.#e.updateRow(c,f,x),n.push(c),q(c,f.key===this.#o)});let r=this.#h;this.#h=new Map;let l=t;for(let c of this.rows.children)this.#h.set(c,l),r.delete(c),l+=1;for(let c of r.keys())this.#n.unobserve(c);this.#l=t,this.#i=e,this.#g(n),this.#C()}#C(){let{style:t}=this.rows;t.paddingTop=`${this.#s.top(this.#l)}px`,t.paddingBottom=`${this.#s.total-this.#s.top(this.#i)+F}px`}#g(t){let e=t.map(s=>s.getBoundingClientRect().height);t.forEach((s,i)=>{let o=this.#h.get(s);o!==void 0&&e[i]&&this.#s.set(o,e[i])})}#j(t){let e=!1;for(let{target:s,borderBoxSize:i}of t){let o=i[0].blockSize,n=this.#h.get(s);s===this.element?(e||=Math.abs(this.#a-o)>.1,this.#a=o):n!==void 0&&o&&Math.abs(this.#s.at(n)-o)>.1&&(this.#s.set(n,o),e=!0)}e&&(this.#C(),this.#b(),this.#e.onposition())}#S(){let{scrollTop:t}=this.element;if(!this.#u||Math.abs(t-this.#x())>1){this.#A(Math.max(0,t));let{start:e,end:s}=V(this.#s,{top:t,height:this.#a,margin:bt/2,most:wt});(e<this.#l||s>this.#i)&&this.#b()}this.#u=!1,this.#e.onposition()}#A(t){let e={top:t,height:this.#a,total:this.#s.total+F};this.#c=!this.#f&&xt(e),this.#d=this.#c&&e.total-t-e.height<2;let{count:s}=this.#s,i=this.#s.find(t),o=this.#t.findIndex(z),n=i,r=()=>z(this.#t[n])&&n!==o&&this.#s.top(n)>=t;for(;n<s&&!r();)n+=1;if(n===s||this.#s.top(n)>=t+this.#a)for(n=i;n<s-1&&!z(this.#t[n]);)n+=1;this.#r={index:n,offset:this.#s.top(n)-t}}#T(t){if(!t||t===this.#o)return;let e=this.row(this.#o);e&&q(e,!1),this.#o=t,this.#p=!0;let s=this.row(t);s&&q(s,!0)}#v(t){let e=this.#t[t].key,s=this.row(e)??this.goTo(t,"center");s&&(this.#T(e),s.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"}))}#z(t){let e=t.target;if(t.altKey||t.ctrlKey||t.metaKey||e.matches("input, textarea"))return;let s=e.closest("[data-key]"),i=this.#h.get(s);if(i===void 0)return;let{key:o}=t;if(e===s&&(o==="Enter"||o===" ")){t.preventDefault(),this.#e.onopen(s,this.#t[i]);return}let n=this.#t.length-1,r=o==="ArrowUp"||o==="End"?-1:1,l={ArrowUp:i-1,ArrowDown:i+1,Home:0,End:n}[o];if(l!==void 0){for(t.preventDefault();this.#t[l]&&!z(this.#t[l]);)l+=r;this.#t[l]&&this.#v(l)}}},z=p=>p.kind==="message"||p.kind==="line";function q(p,t){p.hasAttribute("tabindex")&&(p.tabIndex=t?0:-1);for(let e of p.querySelectorAll("a, button, input, audio, video"))e.tabIndex=t?0:-1}var vt=1600,Mt=5,Dt=240,B=class{constructor(t,e,s,i={}){let{signal:o}=this.#e;this.#n=i.live??new S({summary:n=>s("announce.messages",{count:n})}),this.#s=i.toasts??new k({closeLabel:s("close"),live:this.#n}),this.element=a("section",{class:"conversation",part:"conversation",lang:s.lang,dir:s.dir}),this.#t={client:t,conversation:e,t:s,times:Q(s,i.timeZone),signal:o,root:this.element,toasts:this.#s,live:this.#n,fail:n=>void this.#s.show(v(n,s),{isFailure:!0}),start:n=>this.#E(n),jump:n=>this.#L(n),reply:n=>this.composer.reply(n),focusComposer:()=>this.composer.focus()},this.#l=i,this.#i=new P({label:s("conversation.messages"),makeRow:n=>rt(this.#t,n),updateRow:(n,r,l)=>at(this.#t,n,r,l),estimate:ot,onposition:()=>this.#y(),onopen:(n,r)=>r.kind==="message"&&C(this.#t,r,{anchor:n.querySelector(".bubble"),returnTo:n}),signal:o}),this.composer=new R(this.#t,{onsend:()=>this.#M(),onleave:()=>this.#i.focus()}),this.#h=new I(this.#t,this.#i),this.#x(),mt(this.#t,this.#i),this.#m()}#e=new AbortController;#n;#s;#t;#l;#i;#h;#a={};#r=0;#d=!1;#c=!1;#f=!0;#o=!1;#p=new Set;#u="";#w=0;async open(){let{conversation:t}=this.#t,e=t.open();this.#g(),ct(),await e;for(let s=0;s<Mt&&this.#S;s+=1)await t.loadBefore();this.#f=!1,this.#e.signal.aborted||this.#g()}close(){let{signal:t}=this.#e;t.aborted||(this.#t.conversation.close(),clearTimeout(this.#w),this.#e.abort(),this.#n.clear(),it(),this.element.remove())}focus(){this.#t.conversation.canWrite?this.composer.focus():this.#i.focus()}#x(){let{t}=this.#t,{onBack:e,onDetails:s}=this.#l,i=this.#a,o=(c,f,x)=>a("button",{type:"button",class:"icon-button","aria-label":t(c),title:t(c),onclick:x},m(f));i.avatar=a("span",{class:"header-avatar"}),i.title=a("bdi",null),i.status=a("p",{class:"hint ellipsis"}),i.back=e&&o("back","back",e),i.back?.classList.add("back"),i.details=s&&o("details","more",s);let n=a("header",{class:"conversation-header",part:"header"},i.back,i.avatar,a("div",{class:"titles"},a("h2",{class:"ellipsis"},i.title),i.status),a("slot",{name:"header"}),i.details);i.loading=a("div",{class:"page-loading",hidden:!0},a("span",{class:"spinner"}),a("span",{class:"visually-hidden"},t("conversation.loadingOlder"))),i.empty=a("div",{class:"empty",hidden:!0}),i.jumpCount=a("span",{class:"jump-text"}),i.jump=a("button",{type:"button",class:"jump",part:"jump",hidden:!0,onclick:()=>this.#M(!0)},i.jumpCount,m("arrow-down")),i.typing=a("p",{class:"typing ellipsis","aria-hidden":"true"}),i.drop=a("div",{class:"drop",hidden:!0},m("attach"),t("composer.drop")),this.element.append(n,a("div",{class:"timeline"},this.#i.element,i.empty,i.loading,i.jump),i.typing,this.composer.element,i.drop);let{live:r,toasts:l}=this.#l;r||this.element.append(this.#n.element),l||this.element.append(this.#s.element)}#m(){let{client:t,conversation:e,signal:s,t:i}=this.#t,o=_(()=>this.#g(),s);d(e,"change",()=>{this.#C()?this.#g():o()},s),d(t,"state",o,s),d(t,"message",({detail:{channel:n,message:r,isOwn:l}})=>{if(n!==e.id||l)return;let c=r.senderName??i("announcement");this.#n.message(i("announce.message",{name:c,text:$(r,i)})),(!this.#i.isFollowing||document.visibilityState==="hidden")&&(this.#r+=1),o()},s),d(document,"visibilitychange",()=>{document.visibilityState==="visible"&&(this.#k(!0),this.#y())},s),this.#k(!1),this.#b()}#b(){let{conversation:t,signal:e}=this.#t,{drop:s}=this.#a,i=0,o=n=>t.canWrite&&n.dataTransfer?.types.includes("Files");d(this.element,"dragenter",n=>{o(n)&&(s.hidden=(i+=1)<1)},e),d(this.element,"dragleave",n=>{o(n)&&(s.hidden=(i-=1)<1)},e),d(this.element,"dragover",n=>o(n)&&n.preventDefault(),e),d(this.element,"drop",n=>{o(n)&&(n.preventDefault(),s.hidden=!0,i=0,this.composer.addFiles([...n.dataTransfer.files]))},e)}#k(t){let e=Date.now();clearTimeout(this.#w),t&&this.#i.refresh(),this.#w=setTimeout(()=>this.#k(!0),Math.min(this.#t.times.nextMidnight(e)-e+50,36e5))}#C(){let t=this.#t.conversation.items.at(-1);return t?.kind==="message"&&t.state!=="sent"&&!this.#i.row(t.key)}#g(){let{conversation:t}=this.#t,{items:e,hasAfter:s,hasLoaded:i}=t;this.#A(),this.#i.setItems(e,s),this.#j(e,i),this.#v(),this.#z(e),this.composer.update(),this.#y()}#j(t,e){if(!t.length||!this.element.isConnected)return;let s=t.findIndex(i=>i.kind==="unread");s<0?(this.#c=!1,this.#d||this.#i.goToEnd()):(!this.#d||!this.#c&&this.#i.isFollowing)&&(this.#c=!0,this.#i.goTo(s,"top")),this.#d||=e&&!(this.#f&&this.#S)}get#S(){let{items:t,hasBefore:e,hasLoaded:s}=this.#t.conversation,i=t[t[0]?.kind==="day"?1:0];return s&&e&&(i?.kind==="unread"||t[0]?.kind==="unread")}#A(){let{conversation:t,client:e,t:s}=this.#t,{channel:i,typing:o}=t,n=this.#a;w(n.typing,W(o,s)),o.length&&this.#n.typing(W(o,s));let r=i?.name??"",l=i?.memberCount??0,c=this.#T(i),f=JSON.stringify([r,l,i?.kind,c]);if(f===this.#u)return;this.#u=f,this.element.classList.toggle("single",i?.kind==="single"),w(n.title,r),this.#i.rows.setAttribute("aria-label",s("conversation.messagesWith",{title:r})),n.details&&b(n.details,{"aria-label":s("conversation.details",{title:r})});let x=i?{single:"",self:s("kind.self"),open:s("count.here",{count:l}),group:s("count.members",{count:l})}[i.kind]??s("count.subscribers",{count:l}):"";w(n.status,x),n.status.hidden=!x,i&&y(n.avatar,tt({...c,name:r},{size:36,resolve:j=>e.imageURL(j)}))}#T(t){let e=this.#t.client.user.userID,s=t?.kind==="single"?t.members.find(({userID:i})=>i!==e):null;return{id:s?.userID??t?.channel??"",imageURL:s?.imageURL??t?.profile?.avatar}}#v(){let{conversation:t,t:e}=this.#t,{items:s,isLoading:i,hasLoaded:o,error:n}=t,r=this.#a,l=s.length?"":n&&!o?"error":o&&!i?"empty":"loading";r.empty.dataset.state!==l&&(r.empty.dataset.state=l,r.empty.hidden=!l,y(r.empty,l==="loading"&&[a("span",{class:"spinner"}),a("span",{class:"visually-hidden"},e("loading"))],l==="empty"&&a("slot",{name:"empty"},a("p",null,e("conversation.empty"))),l==="error"&&[a("p",null,v(n,e)),!t.isGone&&a("button",{type:"button",class:"button",onclick:()=>t.refresh()},e("retry"))])),r.loading.hidden=!this.#o||!s.length}#z(t){let{t:e}=this.#t;for(let s=t.length-1;s>=0;s-=1){let i=t[s];if(i.kind==="message"){if(i.state==="sent")break;i.state!=="failed"?this.#p.delete(i.key):this.#p.has(i.key)||(this.#p.add(i.key),this.#n.failure(i.error?e("state.failedWhy",{reason:v(i.error,e)}):e("announce.notSent")))}}}#y(){let{conversation:t,t:e}=this.#t,{jump:s,jumpCount:i}=this.#a,{isFollowing:o,below:n}=this.#i;o&&document.visibilityState==="visible"&&(this.#r=0);let r=!this.#d||o||!(t.hasAfter||this.#r||n>Dt);s.hidden!==r&&(s.hidden=r),r||(w(i,this.#r?e("jump.new",{count:this.#r}):""),b(s,{"aria-label":this.#r?null:e("jump.newest"),title:e("jump.newest")})),this.#h.check(),this.#D()}async#D(){let{conversation:t}=this.#t;if(!this.#d||this.#o||!t.hasLoaded||this.#e.signal.aborted)return;let{above:e,below:s}=this.#i,i=t.hasBefore&&e<vt;if(!i&&!(t.hasAfter&&s<vt))return;this.#o=!0;let{items:o}=t;this.#v(),await(i?t.loadBefore():t.loadAfter()),this.#o=!1,this.#v(),t.items!==o&&!this.#e.signal.aborted&&this.#g()}async#M(t=!1){let{conversation:e,fail:s}=this.#t;try{e.hasAfter&&await e.loadNewest()}catch(i){return s(i)}this.#r=0,this.#i.setItems(e.items,e.hasAfter),this.#i.goToEnd(),t&&this.focus()}async#L(t){let{conversation:e,t:s}=this.#t,i=()=>e.items.findIndex(r=>r.kind==="message"&&r.message.messageID===t);try{i()<0&&await e.loadAround(t)}catch{}let o=i();if(o<0){this.#s.show(s("reply.unavailable"));return}this.#i.setItems(e.items,e.hasAfter);let n=this.#i.goTo(o,"center");n&&(n.focus({preventScroll:!0}),n.classList.remove("is-found"),n.offsetWidth,n.classList.add("is-found"),d(n,"animationend",()=>n.classList.remove("is-found"),this.#e.signal,{once:!0}))}async#E(t){let{client:e,fail:s}=this.#t;try{let i=await e.startConversation(t);this.#l.onOpen?.(i)}catch(i){s(i)}}};var yt=T(`
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
`);var kt=T(`
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

.voice { position: relative; display: flex; align-items: center; gap: 8px; width: 260px; max-width: 100%; }
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
`);var Lt=1500,O=class extends HTMLElement{constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[Z,ft,kt,yt],this.#e=a("div",{class:"connection",part:"connection",hidden:!0}),this.#n=a("div",{class:"list-pane",hidden:!0}),this.#s=a("div",{class:"conversation-pane"}),this.#t=a("div",{class:"panes"},this.#n,this.#s),this.#l=a("div",{class:"frame"},this.#e,this.#t),t.append(this.#l)}static get observedAttributes(){return["server","token","guest","channel","user","lang","mode"]}#e;#n;#s;#t;#l;#i=Y("en");#h=new S({summary:t=>this.#i("announce.messages",{count:t})});#a=new k({closeLabel:"",live:this.#h});#r=null;#d=!1;#c=null;#f=new AbortController;#o=null;#p=null;#u=[];#w=!1;#x=!1;get client(){return this.#r}get conversation(){let t=this.#u.at(-1);return t&&this.#r?.conversation(t)||null}get list(){return this.#o}get texts(){return this.#i}connectedCallback(){this.#r||this.#b()}disconnectedCallback(){queueMicrotask(()=>{this.isConnected||this.#C()})}attributeChangedCallback(t,e,s){e===s||!this.isConnected||(t==="channel"||t==="user"||t==="mode"?this.#A():t==="lang"?this.#S():this.#b())}async connect(t={}){this.#C();let{client:e,...s}=t;this.#c=s,this.#f=new AbortController;let{signal:i}=this.#f,o=e??U(this.#k());this.#r=o,this.#d=!e;for(let r of["message","unread","error"])d(o,r,({detail:l})=>this.#m(r,l),i);d(o,"state",()=>this.#M(),i);let n=setTimeout(()=>{this.#x=!0,this.#M()},Lt);d(i,"abort",()=>clearTimeout(n)),this.#L(i),d(this.#l,"keydown",r=>this.#E(r),i),this.#i=await N(this.getAttribute("lang")||null),!i.aborted&&(this.#M(),await o.ready,!i.aborted&&(await this.#j(),await this.#A(),i.aborted||this.#m("ready")))}open(t){if(t===(this.#u.at(-1)??null)){this.#p?.focus();return}this.#u=t?[t]:[],this.#T()}focus(){this.#p?this.#p.focus():this.#o?.focus()}#m(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e,composed:!0}))}#b(){this.#w||(this.#w=!0,queueMicrotask(()=>{this.#w=!1;let{token:t,guest:e}=this.#k();this.isConnected&&(t||e)&&this.connect(this.#c??{})}))}#k(){let[t,...e]=(this.getAttribute("guest")??"").split(" ");return{server:this.getAttribute("server")??void 0,token:this.getAttribute("token")??void 0,guest:t?{userID:t,name:e.join(" ")||void 0}:void 0,...this.#c}}#C(){this.#f.abort(),this.#p?.close(),this.#o?.destroy(),this.#p=this.#o=null,this.#u=[],this.#n.replaceChildren(),this.#s.replaceChildren(),this.#d&&this.#r?.close(),this.#r=null,this.#x=!1,this.#e.hidden=!0}get#g(){return this.getAttribute("mode")==="both"||!(this.hasAttribute("channel")||this.hasAttribute("user"))}async#j(){let t=this.#r,e=this.#i;if(b(this.#l,{lang:e.lang,dir:e.dir}),this.#a.element.remove(),this.#h.element.remove(),this.#a=new k({closeLabel:e("close"),live:this.#h}),this.#l.append(this.#a.element,this.#h.element),this.#o?.destroy(),this.#o=null,this.#n.hidden=!this.#g,this.#t.classList.toggle("has-list",this.#g),this.#n.replaceChildren(),!this.#g)return;let{signal:s}=this.#f,{ChannelListView:i}=await import("./chunks/list-view-M6DAKYEA.js");s.aborted||this.#o||e!==this.#i||!this.#g||(this.#o=new i(t,e,{onSelect:o=>this.open(o),onFailure:this.#y,isDev:Boolean(this.#k().guest)}),this.#n.append(this.#o.element))}async#S(){let{signal:t}=this.#f;!this.#r||t.aborted||(this.#i=await N(this.getAttribute("lang")||null),!t.aborted&&(await this.#j(),!t.aborted&&(this.#T(),this.#M())))}async#A(){let t=this.#r;if(!t||(Boolean(this.#o)!==this.#g&&await this.#j(),this.#r!==t))return;let e=this.getAttribute("channel"),s=this.getAttribute("user");if(!e&&s)try{e=await t.startConversation(s)}catch(i){this.#y(i)}this.#r===t&&(this.#u=e?[e]:[],this.#T())}#T(){let t=this.#r,e=this.#u.at(-1)??null,s=this.#p?.element.contains(this.shadowRoot?.activeElement??null);if(this.#p?.close(),this.#p=null,this.#o?.select(e),this.#t.classList.toggle("is-open",e!==null),this.#s.replaceChildren(),e){let i=this.#u.length>1,o=new B(t,t.conversation(e),this.#i,{onBack:i||this.#o?()=>this.#z():void 0,onDetails:()=>this.#D(e),onOpen:n=>this.#v(n),live:this.#h,toasts:this.#a});o.element.classList.toggle("is-over",i),this.#p=o,this.#s.append(o.element),o.open().catch(this.#y),(s||this.#o&&matchMedia("(hover: hover)").matches)&&o.focus()}else{let i=this.#i;this.#s.append(a("div",{class:"placeholder"},a("slot",{name:"empty"},m("conversation"),a("h2",null,i("conversation.none")),a("p",null,i("conversation.noneHint"))))),s&&this.#o?.focus()}this.#m("open",{channel:e})}#v(t){if(this.#o)return this.open(t);this.#u.push(t),this.#T()}#z(){let t=this.#u.pop();this.#o&&(this.#u=[]),this.#T(),this.#m("close",{channel:t}),this.#o?this.#o.focus():this.#p?.focus()}#y=t=>void this.#a.show(v(t,this.#i),{isFailure:!0});#D=G(async t=>{let e=this.#r,{openDetails:s}=await import("./chunks/details-view-G4IZ6ABK.js");s({client:e,conversation:e.conversation(t),t:this.#i,root:this.#l,fail:this.#y,start:G(async i=>this.#v(await e.startConversation(i)),this.#y),open:i=>this.#v(i)})},this.#y);#M(){let t=this.#i,{state:e,error:s}=this.#r??{state:"closed",error:null},i={connecting:this.#x?t("connection.connecting"):"",offline:t("connection.offline"),refused:v(s,t)}[e]??"",o=this.#e.textContent;o===i&&this.#e.hidden===!i||(this.#e.hidden=!i,y(this.#e,i&&[m(e==="refused"?"warning":"offline"),a("span",null,i)]),!(!o&&!i)&&(e==="refused"?this.#h.failure(i):this.#h.note(i||t("connection.back"))))}#L(t){let e=window.visualViewport;e&&d(e,"resize scroll",()=>{let s=this.matches(":focus-within")?Math.max(0,this.getBoundingClientRect().bottom-e.height-e.offsetTop):0,i=e.scale===1&&innerHeight-e.height>120;this.#l.style.setProperty("--roost-keyboard",`${i?s:0}px`)},t)}#E(t){if(t.altKey&&!t.ctrlKey&&!t.metaKey&&(t.key==="ArrowUp"||t.key==="ArrowDown")){if(!this.#o)return;t.preventDefault(),this.#o.selectNext(t.key==="ArrowUp"?-1:1)}else(t.ctrlKey||t.metaKey)&&!t.altKey&&t.key.toLowerCase()==="k"&&this.#o&&(t.preventDefault(),this.#t.classList.contains("is-open")&&!this.#o.element.offsetParent&&this.open(null),this.#o.focusSearch())}};customElements.get("roost-chat")||customElements.define("roost-chat",O);export{O as RoostChatElement,U as connect};
