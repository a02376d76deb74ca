import{a as at}from"./chunks/chunk-UYTTYSBF.js";import"./chunks/chunk-ALUGPYZC.js";import{a as ht,c as lt,d as ct,e as dt,f as pt,g as ut}from"./chunks/chunk-WRPCSAER.js";import{e as ft,f as mt,g as gt,j as xt,n as bt,o as wt,p as j,q as vt,r as R,s as yt,t as kt,u as Tt}from"./chunks/chunk-QGLYVOMY.js";import{a as rt}from"./chunks/chunk-JJWSS6UI.js";import{b as g}from"./chunks/chunk-5X4B7PGS.js";import{b as y,c as Z,d as $,f as Q,k as tt,m as et,n as G}from"./chunks/chunk-446K773K.js";import{a as C,c as nt}from"./chunks/chunk-EMUUJ3G7.js";import{a as h,b as v,c as k,d as w,e as it,f as p,g as st,h as ot,i as V,j as T,l as I}from"./chunks/chunk-Y4HQ7EP4.js";import{h as J,n as _}from"./chunks/chunk-PMZZBJ2Z.js";var M=class{constructor({summary:t,burst:e=2,wait:i=800}){this.#e=t,this.#n=e,this.#i=i,this.#t=h("div",{"aria-live":"polite","aria-atomic":"true"}),this.#l=h("div",{role:"alert","aria-atomic":"true"}),this.element=h("div",{class:"visually-hidden"},this.#t,this.#l)}#e;#n;#i;#t;#l;#s=[];#h="";#a="";#r=0;#p=null;#f=-1/0;message(t){this.#s.push(t),this.#a="",this.#o()}note(t){this.#h=t,this.#o()}typing(t){let e=performance.now();t||(this.#a=""),!(!t||e-this.#f<1e4||this.#s.length)&&(this.#f=e,this.#a=t,this.#o())}failure(t){this.#c(),this.#l.textContent="",this.#l.textContent=t}clear(){clearTimeout(this.#r),this.#r=0,this.#s=[],this.#h=this.#a=""}#c(){let{element:t}=this,e=this.#p??=t.parentNode;if(!e)return;let i=I(e),s=i??e;t.parentNode!==s&&(this.#t.textContent=this.#l.textContent="",s.append(t),i&&p(i,"close",()=>this.#c(),void 0,{once:!0}))}#o(){this.#c(),this.#r||=setTimeout(()=>{let t=this.#s,i=[...t.length>this.#n?[this.#e(t.length)]:t,this.#h,this.#a].filter(Boolean);i.length&&(this.#t.textContent=i.join(". ")),this.clear()},this.#i)}};var Ct=C(`${nt}
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
`);var[Rt,Bt]=[6e3,2e4],S=class{constructor({closeLabel:t,live:e,field:i}){this.#e=t,this.#n=e,this.#i=i??(()=>this.#t?.querySelector(".composer")),this.element=h("div",{class:"toasts"})}#e;#n;#i;#t=null;#l=new ResizeObserver(()=>this.#s());show(t,{isFailure:e=!1,action:i}={}){for(let a of this.element.children)a.firstChild?.textContent===t&&a.remove();let s=0,o=()=>{clearTimeout(s),r.remove(),this.element.firstChild||this.#l.disconnect()},n=()=>{clearTimeout(s),(!e||!i)&&(s=setTimeout(o,e?Bt:Rt))},r=h("div",{class:"toast",part:"toast",dir:"auto"},h("span",null,t),i&&h("button",{type:"button",class:"button",onclick:()=>{o(),i.run()}},i.label),h("button",{type:"button",class:"icon-button","aria-label":this.#e,onclick:o},g("close")));for(p(r,"pointerenter focusin",()=>clearTimeout(s)),p(r,"pointerleave focusout",n),this.element.append(r);this.element.children.length>3;)this.element.firstChild?.remove();return n(),this.#s(),e?this.#n?.failure(t):this.#n?.note(t),o}#s(){let{element:t}=this,e=this.#t??=t.parentNode;if(!e||!t.firstChild)return;let i=I(e,"dialog:modal:not(.menu)"),s=i??e;t.parentNode!==s&&(s.append(t),i&&p(i,"close",()=>this.#s(),void 0,{once:!0}));let o=i?i.querySelector("footer:not([hidden])"):this.#i(),n=o?.getBoundingClientRect(),r=t.offsetParent?.getBoundingClientRect().bottom??innerHeight;t.style.setProperty("bottom",`${n?.height?r-n.top+8:16}px`),o&&this.#l.observe(o)}};var St=C(`
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
`);var zt=C(`
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
`);var Pt=typeof MediaRecorder<"u"&&Boolean(navigator.mediaDevices),Kt=200,B=class{constructor(t,{onsend:e,onleave:i}){let{t:s,signal:o}=t;this.#e=t,this.#n=e,this.#i=i,this.field=h("textarea",{class:"field-text",rows:"1",part:"field","aria-label":s("composer.label"),enterkeyhint:"send",autocapitalize:"sentences",autocomplete:"off"}),this.#t=h("div",{class:"grow-field"},this.field),this.#l=h("span",{class:"counter",hidden:!0}),this.#s=this.#L("composer.more","add",()=>this.#P()),this.#h=this.#L("composer.emoji","emoji",()=>this.#K()),this.#h.classList.add("emoji-button"),this.#a=this.#L("composer.send","send",()=>this.send()),this.#a.classList.add("primary"),this.#r=this.#L("composer.record","microphone",()=>this.#F()),this.#p=h("div",{class:"replying",hidden:!0}),this.#f=h("div",{class:"scheduled",hidden:!0}),this.#w=h("div",{class:"line"},this.#s,this.#t,this.#h,this.#r,this.#a),this.#y=h("div",{class:"line recording",hidden:!0}),this.#x=h("p",{class:"note",hidden:!0}),this.#j=h("div",{class:"bar"},this.#f,this.#p,this.#w,this.#y,this.#l),this.element=h("div",{class:"composer",part:"composer"},this.#j,this.#x),p(this.field,"input",()=>this.#q(),o),p(this.field,"keydown",f=>this.#R(f),o),p(this.field,"paste",f=>this.#B(f),o),p(this.field,"select click keyup",()=>this.#c?.update(this.#d,this.#m),o),p(this.field,"blur",()=>this.#c?.close(),o),p(o,"abort",()=>{this.#O(),this.#o?.end()}),this.update();let{text:n,mentions:r,replyTo:a,files:l}=t.conversation.draft;this.#m=r,this.#u=l,this.#D(a),this.#M(n),l.length&&this.#T()}#e;#n;#i;#t;#l;#s;#h;#a;#r;#p;#f;#c=null;#o=null;#u=[];#g=[];#w;#y;#x;#j;#d="";#m=[];#z=null;#b=null;#v={};focus(){this.#j.hidden||this.field.focus({preventScroll:!0})}update(){let{conversation:t,client:e,t:i}=this.#e,{isGone:s,channel:o,schedules:n,canWrite:r,blockedPeer:a}=t;if(this.#v.canWrite!==r||this.#v.isGone!==s){let l=this.element.contains(T()),f=r?"":a?i("conversation.blocked",{name:a.name}):this.#A();this.#j.hidden=!r,this.#x.hidden=!f,k(this.#x,f,a&&[" ",h("button",{type:"button",class:"fold",onclick:()=>e.perform("user.unblock",{userID:a.userID}).catch(this.#e.fail)},i("user.unblock",{name:a.name}))]),l&&!r&&this.#i()}this.#v.name!==o?.name&&(this.field.placeholder=o?.kind==="single"?i("composer.placeholderTo",{name:o.name}):i("composer.placeholder")),this.#v.schedules!==n&&(n.length||this.#v.schedules?.length)&&kt(this.#e,this.#f),this.#v={canWrite:r,isGone:s,name:o?.name,schedules:n}}#A(){let{conversation:t,client:e,t:i}=this.#e,{isGone:s,isBanned:o,isPeerDeleted:n,ending:r,error:a,items:l}=t;return n?i("error.userDeleted"):o?i("conversation.banned"):s?a&&!l.length?"":r&&Z(r,i,e.user.userID)||i("conversation.left"):i("conversation.news")}reply(t){this.#D(t),this.#k(),this.focus()}#D(t){let{t:e,client:i}=this.#e;this.#z=t,this.#p.hidden=!t,k(this.#p,t&&[lt(this.#e,t,t.senderID===i.user.userID),this.#L("reply.cancel","close",()=>this.reply(null))]),v(this.#p,{role:"group","aria-label":t&&e("reply.to",{name:t.senderName??""})})}#k(){let t=[...this.#o?.files??this.#u,...this.#g];this.#e.conversation.setDraft({text:this.#d,mentions:this.#m,replyTo:this.#z,files:t})}async send(){let{conversation:t}=this.#e;if(this.#d.includes("@")&&!this.#c&&await this.#E().catch(()=>{}),this.#u.length&&!await this.#T())return;let e=this.#d,i=this.#z??void 0,s=/\S/.test(e);if(!t.canWrite||this.#S<0||!(s||this.#C))return;let o=s?this.#c?.written(e,this.#m)??this.#m:[];this.#C?this.#o?.send({text:s?e:"",mentions:o,replyTo:i}):t.send({text:e,mentions:o,replyTo:i}),this.#m=[],this.#M(""),this.#q(),this.reply(null),this.#n()}async addFiles(t){(await this.#T())?.add(t)}async#T(){try{let{Attachments:t}=await ft();this.#o||(this.#o=new t(this.#e,()=>{this.#I(),this.#k()}),this.#w.before(this.#o.element),this.#o.restore(this.#u),this.#u=[])}catch(t){this.#e.fail(t)}return this.#o}get#C(){return this.#o?.count??this.#u.length}async#E(){if(!(!this.#c&&!/[@:]/.test(this.#d))){if(!this.#c){let{MentionPopup:t}=await xt();this.#c??=new t(this.#e,this.field,e=>{this.#m=e.mentions,this.#M(e.text,e.cursor),this.#q()}),this.#j.prepend(this.#c.element)}this.#c.update(this.#d,this.#m)}}get#S(){return(this.#e.client.limits?.textLength??8e3)-this.#d.length}#L(t,e,i){let s=this.#e.t(t);return h("button",{type:"button",class:"icon-button","aria-label":s,title:s,onclick:i,onpointerdown:o=>o.preventDefault()},g(e))}#M(t,e=t.length){this.field.value=t,this.field.setSelectionRange(e,e),this.#d=t,this.#I()}#q(){let{conversation:t}=this.#e,e=this.field.value;this.#m=at(this.#m,this.#d,e),this.#d=e,this.#k(),e?t.userIsTyping():t.userStoppedTyping(),this.#I(),this.#E().catch(()=>{})}#I(){let{t}=this.#e;this.#t.dataset.text=this.#d,this.field.dir=this.#d?"auto":t.dir;let e=this.#S,i=/\S/.test(this.#d)||this.#C>0;this.#a.disabled=!i||e<0,this.#r.hidden=i||!Pt,this.#a.hidden=!this.#r.hidden;let s=e<=Kt;this.#l.hidden=!s,s&&(w(this.#l,e<0?t("composer.tooLong",{count:-e}):t("composer.charactersLeft",{count:e})),this.#l.classList.toggle("is-near",e<=10),v(this.field,{"aria-invalid":e<0?"true":null}))}#R(t){t.isComposing||t.keyCode===229||(this.#c?.keyPressed(t)?(t.preventDefault(),t.stopPropagation()):t.key==="Enter"&&!t.shiftKey&&!t.altKey&&!t.ctrlKey&&!t.metaKey?(t.preventDefault(),this.send()):t.key==="Escape"&&this.#z?(t.preventDefault(),t.stopPropagation(),this.reply(null)):t.key==="ArrowUp"&&!this.#d&&!t.shiftKey&&(t.preventDefault(),this.#i()))}#B(t){let e=[...t.clipboardData?.files??[]];!e.length||t.clipboardData?.types.includes("text/plain")||(t.preventDefault(),this.addFiles(e))}#P(){yt(this.#e,{anchor:this.#s,returnTo:this.field,text:this.#S<0||this.#C?"":this.#d,mentions:()=>this.#c?.written(this.#d,this.#m)??this.#m,pick:async t=>(await this.#T())?.pick(t),onsend:this.#n,onscheduled:()=>{this.#m=[],this.#M(""),this.#q()}})}#K(){let{selectionStart:t,selectionEnd:e}=this.field;R(this.#e,{anchor:this.#h,returnTo:this.field,onpick:i=>{this.field.setRangeText(i,t,e,"end"),this.#q()}})}#F(){this.#b??=new AbortController,Tt(this.#e,{bar:this.#y,line:this.#w,signal:this.#b.signal,onpart:t=>{this.#g=t,this.#k()},onend:t=>{if(this.#b=null,this.focus(),!t)return;let{file:e,...i}=t;this.#e.conversation.sendFile(e,{...i,replyTo:this.#z??void 0}),this.reply(null),this.#n()}})}#O(){this.#b?.abort(),this.#b=null}};var P=new WeakMap,K=class{constructor(t,e){this.#e=t,this.#n=e}#e;#n;#i=null;get kept(){return P.get(this.#e)}resume({offset:t,seen:e},i){this.#i=e,this.#n.goTo(i,t)}keep(){let{place:t}=this.#n;this.#i&&(t?P.set(this.#e,{...t,seen:this.#i}):P.delete(this.#e))}forget(){P.delete(this.#e)}see(){let{channel:t,separator:e}=this.#e;if(!t||(this.#i??=e===null?{seq:t.seq,count:t.count}:{seq:e,count:t.count-(t.unread??0)},document.visibilityState!=="visible"))return;let{items:i,isFollowing:s,visible:o}=this.#n,n=s?i.length-1:i.lastIndexOf(o[1]);for(;n>=0;n-=1){let r=i[n],{seq:a=0,count:l=this.#i.count}=r.kind==="message"?(r.parts?.at(-1)??r).message:{};if(a){a>this.#i.seq&&(this.#i={seq:a,count:l});return}}}get newCount(){let{items:t,hasAfter:e,channel:i}=this.#e,s=this.#i;if(!s||!i)return 0;if(e)return Math.max(0,i.count-s.count);let o=0;for(let n=t.length-1;n>=0;n-=1){let r=t[n];if(r.kind==="message"){if((r.message.seq??1/0)<=s.seq)break;!r.isOwn&&!r.message.recall&&(o+=1)}}return o}};var Ft=450,Ot=8;function jt(d,t){let{t:e,signal:i,conversation:s}=d,{rows:o}=t,n=c=>c.closest("a, button, input, label, video, .media, .avatar-column"),r=c=>{let u=t.itemAt(c);return u?.kind!=="message"?null:d.extras?.partAt(c,u)??u},a=c=>c.closest("[data-key]"),l=0,[f,x]=[0,0],b=!1,z=!1;p(o,"pointerdown",c=>{[f,x,b,z]=[c.clientX,c.clientY,!1,!1],clearTimeout(l);let u=r(c.target);c.pointerType==="mouse"||!u||c.target.closest("input, .progress")||(l=setTimeout(()=>{z=!0,st(),j(d,u,{point:{x:f,y:x},returnTo:a(c.target)})},Ft))},i),p(o,"pointermove",c=>{Math.hypot(c.clientX-f,c.clientY-x)<Ot||(b=!0,clearTimeout(l))},i,{passive:!0}),p(o,"pointerup pointercancel pointerleave",()=>clearTimeout(l),i),p(o,"click",c=>{let u=r(c.target);if(!u)return;let m=c.target.closest("[data-more]");m?j(d,u,{anchor:m,returnTo:c.detail?a(m):m}):s.channel?.kind==="open"&&!b&&!n(c.target)&&dt(u)&&vt(d,u.message)},i),p(o,"contextmenu",c=>{let u=r(c.target),m=getSelection(),E=m&&!m.isCollapsed&&c.button===2;if(!u||E||c.target.closest("a, video")||(c.preventDefault(),clearTimeout(l),z))return;let A=a(c.target),It=c.button!==2&&c.pointerType!=="touch"?{anchor:A.querySelector(".bubble")}:{point:{x:c.clientX,y:c.clientY}};j(d,u,{...It,returnTo:A})},i),p(o,"keydown",c=>{if(!(c.ctrlKey||c.metaKey||c.altKey)){if(c.key==="Escape")d.focusComposer();else if(c.key==="r"&&c.target===a(c.target)){let u=r(c.target);if(!u?.message.messageID||u.message.recall||!s.canWrite)return;c.preventDefault(),d.reply(u.message)}}},i);let q=(c,u,m)=>h("button",{type:"button",class:"icon-button",tabindex:"-1","aria-label":e(c),title:e(c),onclick:E=>{let A=r(E.target);A&&m(A,E.currentTarget)}},g(u)),U=h("span",{class:"tools"},q("message.react","emoji",({message:c},u)=>R(d,{anchor:u,returnTo:a(u),onpick:m=>s.react(c.messageID??"",m).catch(d.fail)})),q("message.reply","reply",({message:c})=>d.reply(c)));p(o,"pointerover",c=>{if(c.pointerType!=="mouse"||!s.canWrite)return;let u=a(c.target);if(!u||U.parentElement===u)return;let m=r(u);m?.message.messageID&&!m.message.recall?u.append(U):U.remove()},i,{passive:!0})}var F=class{#e=[];#n=[0];get count(){return this.#e.length}get total(){return this.top(this.count)}at(t){return this.#e[t]}splice(t,e,i){let s=t===this.count&&!e;if(this.#e.splice(t,e,...i),s)for(let o=t;o<this.count;o+=1)this.#i(o);else this.#t()}set(t,e){let i=e-this.#e[t];if(!i)return 0;this.#e[t]=e;for(let s=t+1;s<=this.count;s+=s&-s)this.#n[s]+=i;return i}top(t){let e=0;for(let i=t;i>0;i-=i&-i)e+=this.#n[i];return e}find(t){let e=0,i=t,s=1;for(;s*2<=this.count;)s*=2;for(;s;s=Math.floor(s/2))e+s<=this.count&&this.#n[e+s]<=i&&(e+=s,i-=this.#n[e]);return Math.max(0,Math.min(e,this.count-1))}#i(t){let e=t+1,i=this.#e[t];for(let s=e-1,o=e-(e&-e);s>o;s-=s&-s)i+=this.#n[s];this.#n[e]=i}#t(){this.#n.length=1;for(let t=0;t<this.count;t+=1)this.#i(t)}};function Mt(d,t){let e=Math.min(d.length,t.length),i=(n,r)=>n===r||n.key===r.key,s=0;for(;s<e&&i(d[s],t[s]);)s+=1;let o=0;for(;o<e-s&&i(d[d.length-1-o],t[t.length-1-o]);)o+=1;return{index:s,removed:d.length-s-o,inserted:t.length-s-o}}function X(d,{top:t,height:e,margin:i,most:s}){if(!d.count)return{start:0,end:0};let o=d.find(t-i),n=d.find(t+e+i)+1;if(n-o>s){let r=d.find(t+e/2);o=Math.max(o,r-Math.floor(s/2)),n=Math.min(n,o+s)}return{start:o,end:n}}function At({top:d,height:t,total:e}){return e-d-t<=80}var Dt=600,Lt=240,D=12,H=class{constructor(t){this.#e=t,this.rows=h("div",{class:"rows",role:"list","aria-label":t.label,part:"timeline"}),this.element=h("div",{class:"scroller",tabindex:"-1"},this.rows);let{signal:e}=t;p(this.element,"scroll",()=>this.#D(),e,{passive:!0}),p(this.rows,"keydown",s=>this.#E(s),e),p(this.rows,"focusin",s=>this.#T(this.#y(s.target)),e);let i=new ResizeObserver(s=>this.#A(s));i.observe(this.element),this.#n=i,p(e,"abort",()=>i.disconnect())}#e;#n;#i=new F;#t=[];#l=0;#s=0;#h=new Map;#a=0;#r={index:0,offset:0};#p=!0;#f=!0;#c=!1;#o="";#u=!1;#g=!1;#w=!1;get items(){return this.#t}get visible(){let t=this.#x();return[t,t+this.#a-D].map(e=>this.#t[this.#i.find(e)])}get whole(){let t=this.#x(),e=this.#i.find(t+this.#a),i=this.#i.top(e+1)<=t+this.#a;return this.#t.slice(this.#i.find(t),i?e+1:e)}get place(){let{index:t,offset:e}=this.#r;for(let i=t;!this.#f&&i<this.#t.length;i+=1){let s=this.#t[i],o=s.kind==="message"&&s.message.messageID;if(o)return{messageID:o,offset:e+this.#i.top(i)-this.#i.top(t)}}return null}get isFollowing(){return this.#f}get above(){return this.#x()}get below(){return Math.max(0,this.#i.total+D-this.#x()-this.#a)}setItems(t,e){let i=this.#t;if(e&&!this.#c&&this.#k(this.#x()),this.#c=e,e&&(this.#f=this.#p=!1),t===i)return;let{index:s,removed:o,inserted:n}=Mt(i,t);if(o||n){let r=new Map;for(let l=s;l<s+o;l+=1)r.set(i[l].key,this.#i.at(l));let a=t.slice(s,s+n).map(l=>r.get(l.key)??this.#e.estimate(l));this.#i.splice(s,o,a),this.#j(i,t,{index:s,removed:o,inserted:n}),this.#f&&s+n===t.length&&(this.#p=!0)}if(this.#t=t,!this.#u||!t.some(r=>r.key===this.#o)){this.#u=!1;for(let r=t.length-1;r>=0;r-=1)if(L(t[r])){this.#o=t[r].key;break}}this.#d(!0)}goToEnd(){this.#f=this.#p=!0,this.#d(),this.#e.onposition()}goTo(t,e){if(!this.#t[t])return null;this.#f=this.#p=!1,this.#a||=this.element.clientHeight;let i=typeof e=="number"?e:e==="top"?Math.min(96,this.#a/5):Math.max(24,(this.#a-this.#i.at(t))/2);return this.#r={index:t,offset:i},this.#d(),this.#k(this.#x()),this.#e.onposition(),this.row(this.#t[t].key)}row(t){for(let e of this.rows.children)if(this.#y(e)===t)return e;return null}itemAt(t){let e=t.closest("[data-key]"),i=e?this.#h.get(e):void 0;return i===void 0?null:this.#t[i]}refresh(){for(let[t,e]of this.#h){let i=this.#t[e];this.#z(t,i,i)}this.#v([...this.#h.keys()]),this.#d()}drawWhole(t){this.#w=t,this.#d(!0)}focus(){let t=this.#t.findIndex(e=>e.key===this.#o);t>=0?this.#C(t):this.element.focus({preventScroll:!0})}#y(t){return t.closest?.("[data-key]")?.dataset.key??""}#x(){let t=Math.max(0,this.#i.total+D-this.#a);return this.#p?t:Math.max(0,Math.min(t,this.#i.top(this.#r.index)-this.#r.offset))}#j(t,e,{index:i,removed:s,inserted:o}){let{index:n}=this.#r;if(n<i)return;if(n>=i+s){this.#r.index=n+o-s;return}let r=new Map;for(let a=i;a<i+o;a+=1)r.set(e[a].key,a);for(let a=n;a<i+s;a+=1){let l=r.get(t[a].key);if(l!==void 0){this.#r.index=l;return}}this.#r.index=Math.max(0,Math.min(i+o,e.length-1))}#d(t=!1){let e=t;this.#a||=this.element.clientHeight;for(let s=0;s<4;s+=1){let n={top:this.#x(),height:this.#a,margin:Dt,most:Lt},{start:r,end:a}=this.#w?{start:0,end:this.#i.count}:X(this.#i,n);if(!e&&r===this.#l&&a===this.#s)break;e=!1,this.#m(r,a)}this.#g=!0;let i=this.#x();Math.abs(this.element.scrollTop-i)>.4&&(this.element.scrollTop=i)}#m(t,e){let i=T(),s=i&&this.rows.contains(i)?this.#y(i):"",o=this.#t.slice(t,e);s&&!o.some(l=>l.key===s)&&this.element.focus({preventScroll:!0});let n=[];it(this.rows,o,l=>l.key,l=>{let f=this.#e.makeRow(l);return f.dataset.key=l.key,this.#n.observe(f),n.push(f),O(f,l.key===this.#o),f},(l,f,x)=>{this.#z(l,f,x),n.push(l)});let r=this.#h;this.#h=new Map;let a=t;for(let l of this.rows.children)this.#h.set(l,a),r.delete(l),a+=1;for(let l of r.keys())this.#n.unobserve(l);this.#l=t,this.#s=e,this.#v(n),this.#b()}#z(t,e,i){let s=t.contains(T());this.#e.updateRow(t,e,i),O(t,e.key===this.#o),s&&!t.contains(T())&&t.focus({preventScroll:!0})}#b(){let{style:t}=this.rows;t.paddingTop=`${this.#i.top(this.#l)}px`,t.paddingBottom=`${this.#i.total-this.#i.top(this.#s)+D}px`}#v(t){let e=t.map(i=>i.getBoundingClientRect().height);t.forEach((i,s)=>{let o=this.#h.get(i);o!==void 0&&e[s]&&this.#i.set(o,e[s])})}#A(t){if(this.#w)return;let e=!1;for(let{target:i,borderBoxSize:s}of t){let o=s[0].blockSize,n=this.#h.get(i);i===this.element?(e||=Math.abs(this.#a-o)>.1,this.#a=o):n!==void 0&&o&&Math.abs(this.#i.at(n)-o)>.1&&(this.#i.set(n,o),e=!0)}e&&(this.#b(),this.#d(),this.#e.onposition())}#D(){if(this.#a||=this.element.clientHeight,!this.#a||this.#w)return;let{scrollTop:t}=this.element;if(!this.#g||Math.abs(t-this.#x())>1){this.#k(Math.max(0,t));let{start:e,end:i}=X(this.#i,{top:t,height:this.#a,margin:Dt/2,most:Lt});(e<this.#l||i>this.#s)&&this.#d()}this.#g=!1,this.#e.onposition()}#k(t){let e={top:t,height:this.#a,total:this.#i.total+D};this.#f=!this.#c&&At(e),this.#p=this.#f&&e.total-t-e.height<2;let{count:i}=this.#i,s=this.#i.find(t),o=this.#t.findIndex(L),n=s,r=()=>L(this.#t[n])&&n!==o&&this.#i.top(n)>=t;for(;n<i&&!r();)n+=1;if(n===i||this.#i.top(n)>=t+this.#a)for(n=s;n<i-1&&!L(this.#t[n]);)n+=1;this.#r={index:n,offset:this.#i.top(n)-t}}#T(t){if(!t||t===this.#o)return;let e=this.row(this.#o);e&&O(e,!1),this.#o=t,this.#u=!0;let i=this.row(t);i&&O(i,!0)}#C(t){let e=this.#t[t].key,i=this.row(e)??this.goTo(t,"center");i&&(this.#T(e),i.focus({preventScroll:!0}),i.scrollIntoView({block:"nearest"}))}#E(t){let e=t.target;if(t.altKey||t.ctrlKey||t.metaKey||e.matches("input, textarea"))return;let i=e.closest("[data-key]"),s=this.#h.get(i);if(s===void 0)return;let{key:o}=t;if(e===i&&(o==="Enter"||o===" ")){t.preventDefault(),this.#e.onopen(i,this.#t[s]);return}let n=this.#t.length-1,r=o==="ArrowUp"||o==="End"?-1:1,a={ArrowUp:s-1,ArrowDown:s+1,Home:0,End:n}[o];if(a!==void 0){for(t.preventDefault();this.#t[a]&&!L(this.#t[a]);)a+=r;this.#t[a]&&this.#C(a)}}},L=d=>d.kind==="message"||d.kind==="line";function O(d,t){d.hasAttribute("tabindex")&&(d.tabIndex=t?0:-1);for(let e of d.querySelectorAll("a, button, input, audio, video"))e.tabIndex=t?0:-1}var qt=1600,Ht=5,Wt=240,W=class{constructor(t,e,i,s={}){let{signal:o}=this.#e;this.#n=s.live??new M({summary:n=>i("announce.messages",{count:n})}),this.#i=s.toasts??new S({closeLabel:i("close"),live:this.#n}),this.element=h("div",{class:"conversation",part:"conversation",lang:i.lang,dir:i.dir,role:"region","aria-labelledby":"conversation-title"}),this.#t={client:t,conversation:e,t:i,times:tt(i,s.timeZone),signal:o,root:this.element,toasts:this.#i,live:this.#n,fail:n=>void this.#i.show(y(n,i),{isFailure:!0}),start:n=>this.#I(n),jump:n=>this.#q(n),reply:n=>this.composer.reply(n),focusComposer:()=>this.composer.focus()},this.#l=s,this.#s=new H({label:i("conversation.messages"),makeRow:n=>{let r=pt(this.#t,n);return this.#t.extras?.mark(r,n),r},updateRow:(n,r,a)=>{ut(this.#t,n,r,a),this.#t.extras?.mark(n,r)},estimate:ct,onposition:()=>this.#S(),onopen:(n,r)=>r.kind==="message"&&j(this.#t,r,{anchor:n.querySelector(".bubble"),returnTo:n}),signal:o}),this.composer=new B(this.#t,{onsend:()=>this.#M(),onleave:()=>this.#s.focus()}),this.#h=new K(e,this.#s),this.#j(),jt(this.#t,this.#s),this.#d()}#e=new AbortController;#n;#i;#t;#l;#s;#h;#a=null;#r={};#p=!1;#f=!1;#c=!0;#o=!1;#u="";#g=new Set;#w="";#y=0;#x="";async open(){let{conversation:t,signal:e}=this.#t,i=t.open();this.#b(),wt(this.#t.client),await i;let s=()=>this.#c&&!e.aborted;if(s()){let{kept:o}=this.#h;if(o)await t.loadAround(o.messageID,s).catch(()=>{});else for(let n=0;n<Ht&&s()&&this.#k;n+=1)await t.loadBefore()}this.#c=!1,e.aborted||this.#b()}close(){let{signal:t}=this.#e;t.aborted||(this.#p&&this.#h.keep(),this.#t.conversation.close(),clearTimeout(this.#y),this.#e.abort(),this.#n.clear(),bt(),this.element.remove())}focus(){this.#t.conversation.canWrite?this.composer.focus():this.#s.focus()}#j(){let{t}=this.#t,{onBack:e,onDetails:i}=this.#l,s=this.#r,o=(f,x,b)=>h("button",{type:"button",class:"icon-button","aria-label":t(f),title:t(f),onclick:b},g(x));s.avatar=h("span",{class:"header-avatar"}),s.title=h("bdi",null),s.status=h("p",{class:"hint ellipsis"}),s.back=e&&o("back","back",e),s.back?.classList.add("back"),s.details=i&&o("details","more",i);let n=h("div",{class:"about",onclick:i},s.avatar,h("div",{class:"titles"},h("h2",{class:"ellipsis",id:"conversation-title"},s.title),s.status));n.classList.toggle("opens",Boolean(i));let r=h("header",{class:"conversation-header",part:"header"},s.back,n,h("slot",{name:"header"}),s.details);s.loading=h("div",{class:"page-loading",hidden:!0},h("span",{class:"spinner"}),h("span",{class:"visually-hidden"},t("conversation.loadingOlder"))),s.empty=h("div",{class:"empty",hidden:!0}),s.jumpCount=h("span",{class:"jump-text"}),s.jump=h("button",{type:"button",class:"jump",part:"jump",hidden:!0,onclick:()=>this.#M(!0)},s.jumpCount,g("arrow-down")),s.typing=h("p",{class:"typing ellipsis","aria-hidden":"true"}),this.element.append(r,h("div",{class:"timeline"},this.#s.element,s.empty,s.loading,s.jump),s.typing,this.composer.element);let{live:a,toasts:l}=this.#l;a||this.element.append(this.#n.element),l||this.element.append(this.#i.element)}#d(){let{client:t,conversation:e,signal:i,t:s}=this.#t,o=ot(()=>this.#b(),i);p(e,"change",()=>{this.#z()?this.#b():o()},i),p(t,"blocked",()=>{this.#s.refresh(),o()},i),p(t,"state",()=>{o(),t.state==="live"&&this.#m()},i),p(t,"message",({detail:{channel:n,message:r,isOwn:a}})=>{if(n!==e.id||a||ht(this.#t,r))return;let l=r.senderName??s("announcement");this.#n.message(s("announce.message",{name:l,text:Q(r,s)})),o()},i),p(document,"visibilitychange",()=>{this.#a?.check(),document.visibilityState==="visible"&&(this.#m(),this.#S())},i),this.#m(),gt().then(({Extras:n,ReadMarker:r})=>{i.aborted||(this.#a=new r(this.#t,this.#s,()=>this.#p&&!this.#c&&!this.#k),this.#t.extras=new n(this.#t,this.#s),this.#b())},()=>{}),mt().then(({watchDrops:n})=>n(this.#t,this.element,this.composer),()=>{})}#m(){let{client:t,times:e}=this.#t,i=t.serverTime,s=e.dayKey(i);clearTimeout(this.#y),s!==this.#x&&this.#s.refresh(),this.#x=s,this.#y=setTimeout(()=>this.#m(),Math.min(e.nextMidnight(i)-i+50,36e5))}#z(){let t=this.#t.conversation.items.at(-1);return t?.kind==="message"&&t.state!=="sent"&&t.key!==this.#u}#b(){let{conversation:t}=this.#t,{items:e,hasLoaded:i}=t;this.#T(),this.#u=e.at(-1)?.key??"",this.#A(),this.#v(this.#s.items,i),this.#C(),this.#E(e),this.composer.update(),this.#S()}#v(t,e){if(!t.length||!this.element.isConnected)return;let i=!this.#p&&this.#h.kept,s=i?this.#D(i.messageID):-1;i&&s>=0&&(this.#p=this.#f=!0,this.#h.resume(i,s));let o=t.findIndex(n=>n.kind==="unread");o<0?(this.#f=!1,this.#p||this.#s.goToEnd()):(!this.#p||!this.#f&&this.#s.isFollowing)&&(this.#f=!0,this.#s.goTo(o,"top")),this.#p||=e&&!(this.#c&&(i||this.#k))}#A(){let{conversation:t,extras:e}=this.#t,{items:i,hasAfter:s}=t;this.#s.setItems(e?.grouped(i)??i,s)}#D(t){return this.#s.items.findIndex(e=>e.kind==="message"&&(e.parts??[e]).some(({message:i})=>i.messageID===t))}get#k(){let{items:t,hasBefore:e,hasLoaded:i}=this.#t.conversation,s=t[t[0]?.kind==="day"?1:0];return i&&e&&(s?.kind==="unread"||t[0]?.kind==="unread")}#T(){let{conversation:t,client:e,t:i}=this.#t,{channel:s,typing:o}=t,n=this.#r;w(n.typing,$(o,i)),o.length&&this.#n.typing($(o,i));let a=(s?.kind==="self"?i("kind.self"):s?.name)??(n.title.textContent||(t.isBanned?t.id:"")),l=s?.memberCount??0,f=s&&J(e,s),x=JSON.stringify([a,l,s?.kind,f]),{details:b}=n;if(b&&b.hidden!==!s&&(T()===b&&this.focus(),b.hidden=!s),x===this.#w)return;this.#w=x,this.element.classList.toggle("single",s?.kind==="single"),w(n.title,a),this.#s.rows.setAttribute("aria-label",i("conversation.messagesWith",{title:a})),n.details&&v(n.details,{"aria-label":i("conversation.details",{title:a})});let z=s?{single:"",self:"",open:i("count.here",{count:l}),group:i("count.members",{count:l})}[s.kind]??i("count.subscribers",{count:l}):"";w(n.status,z),n.status.hidden=!z,f&&k(n.avatar,rt({...f,name:a},{size:36,resolve:q=>e.imageURL(q)}))}#C(){let{conversation:t,t:e}=this.#t,{items:i,isLoading:s,hasLoaded:o,hasBefore:n,error:r}=t,a=this.#r,l=i.length?"":r&&(!o||n)?"error":o&&!s&&!n?"empty":"loading";a.empty.dataset.state!==l&&(a.empty.dataset.state=l,a.empty.hidden=!l,k(a.empty,l==="loading"&&[h("span",{class:"spinner"}),h("span",{class:"visually-hidden"},e("loading"))],l==="empty"&&h("slot",{name:"empty"},h("p",null,e("conversation.empty"))),l==="error"&&[!t.isBanned&&h("p",null,y(r,e)),!t.isGone&&h("button",{type:"button",class:"button",onclick:()=>t.refresh()},e("retry"))])),a.loading.hidden=!this.#o||!i.length}#E(t){let{t:e}=this.#t;for(let i=t.length-1;i>=0;i-=1){let s=t[i];if(s.kind==="message"){if(s.state==="sent")break;s.state!=="failed"?this.#g.delete(s.key):this.#g.has(s.key)||(this.#g.add(s.key),this.#n.failure(s.error?e("state.failedWhy",{reason:y(s.error,e)}):e("announce.notSent")))}}}#S(){let{conversation:t,t:e}=this.#t,{jump:i,jumpCount:s}=this.#r,{isFollowing:o,below:n}=this.#s;this.#p&&this.#h.see();let r=o?0:this.#h.newCount,a=!this.#p||o||!(t.hasAfter||r||n>Wt);i.hidden!==a&&(i.hidden=a),a||(w(s,r?e("jump.new",{count:r}):""),v(i,{"aria-label":r?null:e("jump.newest"),title:e("jump.newest")})),this.#a?.check(),this.#L()}async#L(){let{conversation:t}=this.#t;if(!this.#p||this.#o||!t.hasLoaded||this.#e.signal.aborted)return;let{above:e,below:i}=this.#s,s=t.hasBefore&&e<qt;if(!s&&!(t.hasAfter&&i<qt))return;this.#o=!0;let{items:o}=t;this.#C(),await(s?t.loadBefore():t.loadAfter()),this.#o=!1,this.#C(),t.items!==o&&!this.#e.signal.aborted&&this.#b()}async#M(t=!1){let{conversation:e,fail:i}=this.#t;this.#c=!1,this.#h.forget();try{e.hasAfter&&await e.loadNewest()}catch(s){return i(s)}this.#A(),this.#s.goToEnd(),t&&this.focus()}async#q(t){let{conversation:e,t:i}=this.#t;try{await e.loadAround(t)}catch{}this.#A();let s=this.#D(t);if(s<0){this.#i.show(i("reply.unavailable"));return}let o=this.#s.goTo(s,"center");o&&(o.focus({preventScroll:!0}),o.classList.remove("is-found"),o.offsetWidth,o.classList.add("is-found"),p(o,"animationend",()=>o.classList.remove("is-found"),this.#e.signal,{once:!0}))}async#I(t){let{client:e,fail:i}=this.#t;try{let s=await e.startConversation(t);this.#l.onOpen?.(s)}catch(s){i(s)}}};var Et=C(`
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
`);var Nt=1500,N=class extends(globalThis.HTMLElement??Object){constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[Ct,zt,St,Et],this.#e=h("div",{class:"connection",part:"connection",hidden:!0}),this.#n=h("div",{class:"list-pane",hidden:!0}),this.#i=h("div",{class:"conversation-pane"}),this.#t=h("div",{class:"panes"},this.#n,this.#i),this.#l=h("div",{class:"frame"},this.#e,this.#t),t.append(this.#l)}static get observedAttributes(){return["server","token","guest","channel","user","lang","mode"]}#e;#n;#i;#t;#l;#s=et("en");#h=new M({summary:t=>this.#s("announce.messages",{count:t})});#a=new S({closeLabel:"",live:this.#h});#r=null;#p=!1;#f=null;#c=new AbortController;#o=null;#u=null;#g=[];#w="";#y=!1;#x=!1;get client(){return this.#r}get conversation(){let t=this.#g.at(-1);return t&&this.#r?.conversation(t)||null}get list(){return this.#o}get texts(){return this.#s}connectedCallback(){this.#r||this.#m()}disconnectedCallback(){queueMicrotask(()=>{this.isConnected||this.#b()})}attributeChangedCallback(t,e,i){e===i||!this.isConnected||(t==="channel"||t==="user"||t==="mode"?this.#k():t==="lang"?this.#D():this.#m())}async connect(t={}){this.#b();let{client:e,...i}=t;this.#f=i,this.#c=new AbortController;let{signal:s}=this.#c,o=e??_(this.#z());this.#r=o,this.#p=!e;for(let r of["message","unread","error"])p(o,r,({detail:a})=>this.#d(r,a),s);p(o,"state",()=>this.#M(),s);let n=setTimeout(()=>{this.#x=!0,this.#M()},Nt);if(p(s,"abort",()=>clearTimeout(n)),this.#I(s),this.#R(s).catch(()=>{}),this.#s=await G(this.getAttribute("lang")||null),!s.aborted&&(this.#M(),await o.ready,!s.aborted)){if(o.state==="refused"){if(this.#i.replaceChildren(),!this.#j)return;let{showOriginNotice:r}=await import("./chunks/origin-notice-QJLG5ETO.js");s.aborted||r(this.#i,o.server,this.#s);return}await this.#A(),await this.#k(),s.aborted||this.#d("ready")}}open(t){if(t===(this.#g.at(-1)??null)){this.#u?.focus();return}this.#g=t?[t]:[],this.#T()}focus(){this.#u?this.#u.focus():this.#o?.focus()}get#j(){let{error:t,server:e=""}=this.#r??{};return t?.name==="origin"&&!["null",e].includes(location.origin)}#d(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e,composed:!0}))}#m(){this.#y||(this.#y=!0,queueMicrotask(()=>{this.#y=!1;let{token:t,guest:e}=this.#z();this.isConnected&&(t||e)&&this.connect(this.#f??{})}))}#z(){let[t,...e]=(this.getAttribute("guest")??"").split(" ");return{server:this.getAttribute("server")??void 0,token:this.getAttribute("token")??void 0,guest:t?{userID:t,name:e.join(" ")||void 0}:void 0,...this.#f}}#b(){this.#c.abort(),this.#u?.close(),this.#o?.destroy(),this.#u=this.#o=null,this.#g=[],this.#n.replaceChildren(),this.#i.replaceChildren(),this.#p&&this.#r?.close(),this.#r=null,this.#x=!1,this.#e.hidden=!0}get#v(){return this.getAttribute("mode")==="both"||!(this.hasAttribute("channel")||this.hasAttribute("user"))}async#A(){let t=this.#r,e=this.#s;if(v(this.#l,{lang:e.lang,dir:e.dir}),this.#a.element.remove(),this.#h.element.remove(),this.#a=new S({closeLabel:e("close"),live:this.#h}),this.#l.append(this.#a.element,this.#h.element),this.#o?.destroy(),this.#o=null,this.#n.hidden=!this.#v,this.#t.classList.toggle("has-list",this.#v),this.#n.replaceChildren(),!this.#v)return;let{signal:i}=this.#c,{ChannelListView:s}=await import("./chunks/list-view-BIZLJMY5.js");i.aborted||this.#o||e!==this.#s||!this.#v||(this.#o=new s(t,e,{onSelect:o=>this.open(o),onFailure:this.#S,isDev:Boolean(this.#z().guest)}),this.#n.append(this.#o.element))}async#D(){let{signal:t}=this.#c;!this.#r||t.aborted||(this.#s=await G(this.getAttribute("lang")||null),!t.aborted&&(await this.#A(),!t.aborted&&(this.#T(),this.#M())))}async#k(){let t=this.#r;if(!t||(Boolean(this.#o)!==this.#v&&await this.#A(),this.#r!==t))return;let e=this.getAttribute("channel"),i=this.getAttribute("user");if(this.#w="",!e&&i)try{e=await t.startConversation(i)}catch(s){this.#w=y(s,this.#s),this.#o&&this.#S(s)}this.#r===t&&(this.#g=e?[e]:[],this.#T())}#T(){let t=this.#r,e=this.#g.at(-1)??null,i=this.#u?.element.contains(this.shadowRoot?.activeElement??null);if(this.#u?.close(),this.#u=null,this.#o?.select(e),this.#t.classList.toggle("is-open",e!==null),this.#i.replaceChildren(),e){let s=this.#g.length>1,o=new W(t,t.conversation(e),this.#s,{onBack:s||this.#o?()=>this.#E():void 0,onDetails:()=>this.#L(e),onOpen:n=>this.#C(n),live:this.#h,toasts:this.#a});o.element.classList.toggle("is-over",s),this.#o||v(o.element,{role:"group"}),this.#u=o,this.#i.append(o.element),o.open().catch(this.#S),(i||this.#o&&matchMedia("(hover: hover)").matches)&&o.focus()}else{let s=this.#s;this.#i.append(h("div",{class:"placeholder"},h("slot",{name:"empty"},this.#o||!this.#w?[g("conversation"),h("h2",null,s("conversation.none")),h("p",null,s("conversation.noneHint"))]:[g("warning"),h("p",{role:"alert"},this.#w)]))),i&&this.#o?.focus()}this.#d("open",{channel:e})}#C(t){if(this.#o)return this.open(t);this.#g.push(t),this.#T()}#E(){let t=this.#g.pop();this.#o&&(this.#g=[]),this.#T(),this.#d("close",{channel:t}),this.#o?this.#o.focus():this.#u?.focus()}#S=t=>void this.#a.show(y(t,this.#s),{isFailure:!0});#L=V(async t=>{let e=this.#r,{openDetails:i}=await import("./chunks/details-view-RUI4JFUW.js");i({client:e,conversation:e.conversation(t),t:this.#s,root:this.#l,fail:this.#S,toasts:this.#a,start:V(async o=>this.#C(await e.startConversation(o)),this.#S),open:o=>this.#C(o),leave:this.#o?()=>this.open(null):void 0}).closed.then(()=>{document.activeElement===document.body&&this.focus()})},this.#S);#M(){let t=this.#s,{state:e,error:i}=this.#r??{state:"closed",error:null},s={connecting:this.#x?t("connection.connecting"):"",offline:t("connection.offline"),refused:this.#j?"":y(i,t)}[e]??"",o=this.#e.querySelector("span")?.textContent??"";if(o===s&&this.#e.hidden===!s)return;this.#e.hidden=!s;let n=this.#e.querySelector("span");n&&e==="offline"&&this.#e.querySelector("button")?w(n,s):k(this.#e,s&&[g(e==="refused"?"warning":"offline"),h("span",null,s),e==="offline"&&h("button",{type:"button",onclick:this.#q},t("connection.now"))]),!(!o&&!s)&&(e==="refused"?this.#h.failure(s):this.#h.note(s||t("connection.back")))}#q=()=>{w(this.#e.querySelector("span"),this.#s("connection.connecting")),this.#r?.wake()};#I(t){let e=window.visualViewport;e&&p(e,"resize scroll",()=>{let i=this.matches(":focus-within")?Math.max(0,this.getBoundingClientRect().bottom-e.height-e.offsetTop):0,s=e.scale===1&&innerHeight-e.height>120;this.#l.style.setProperty("--roost-keyboard",`${s?i:0}px`)},t)}async#R(t){let e=this.#r;import("./chunks/dialog-notes-R2FCCWA2.js").then(({watchDialogs:s})=>s({client:e,root:this.#l,signal:t,t:()=>this.#s}),()=>{});let{watchKeys:i}=await import("./chunks/keys-THXIXAVH.js");i({target:this.getAttribute("keys")==="page"?document:this.#l,root:this.#l,signal:t,list:()=>this.#o,view:()=>this.#u,t:()=>this.#s,fail:this.#S,showList:()=>{this.#t.classList.contains("is-open")&&!this.#o?.element.offsetParent&&this.open(null)}})}};var Y=globalThis.customElements;Y&&!Y.get("roost-chat")&&Y.define("roost-chat",N);export{N as RoostChatElement,_ as connect};
