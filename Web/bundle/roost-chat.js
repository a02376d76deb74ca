import{a as lt}from"./chunks/chunk-UYTTYSBF.js";import{a as ft,b as mt,c as gt,d as xt}from"./chunks/chunk-VHIF2X3M.js";import{b as pt,e as ut}from"./chunks/chunk-REVB7W5X.js";import{a as at,b as E,c as dt}from"./chunks/chunk-IDWCOWZH.js";import{a as wt,b as bt,c as vt,f as yt,j as kt,k as Tt,l as z,m as Ct,n as I,o as St,p as zt,q as Mt}from"./chunks/chunk-7GA5CZNZ.js";import"./chunks/chunk-AFOLSHF3.js";import{a as ct}from"./chunks/chunk-JJWSS6UI.js";import{a as w}from"./chunks/chunk-OC4LJ6JD.js";import"./chunks/chunk-PW7NZQJY.js";import{a as ht}from"./chunks/chunk-FFKMZ6CZ.js";import{b as g}from"./chunks/chunk-5X4B7PGS.js";import{b as it,c as _}from"./chunks/chunk-EIMUZDGE.js";import"./chunks/chunk-ZSXPPJ77.js";import{d as Y}from"./chunks/chunk-CIEQ756A.js";import"./chunks/chunk-MPRWJR2J.js";import{n as et}from"./chunks/chunk-4RWLNBPZ.js";import"./chunks/chunk-G2PI7OJO.js";import{a as T,c as rt}from"./chunks/chunk-EMUUJ3G7.js";import{a as h,b as y,c as v,d as b,e as st,f as p,g as ot,h as nt,i as J,j as k,l as q}from"./chunks/chunk-Y4HQ7EP4.js";import"./chunks/chunk-V7K4E4Z5.js";var M=class{constructor({summary:t,burst:e=2,wait:i=800}){this.#t=t,this.#o=e,this.#i=i,this.#e=h("div",{"aria-live":"polite","aria-atomic":"true"}),this.#a=h("div",{role:"alert","aria-atomic":"true"}),this.element=h("div",{class:"visually-hidden"},this.#e,this.#a)}#t;#o;#i;#e;#a;#s=[];#l="";#r="";#h=0;#m=null;#g=-1/0;message(t){this.#s.push(t),this.#r="",this.#n()}note(t){this.#l=t,this.#n()}typing(t){let e=performance.now();t||(this.#r=""),!(!t||e-this.#g<1e4||this.#s.length)&&(this.#g=e,this.#r=t,this.#n())}failure(t){this.#d(),this.#a.textContent="",this.#a.textContent=t}clear(){clearTimeout(this.#h),this.#h=0,this.#s=[],this.#l=this.#r=""}#d(){let{element:t}=this,e=this.#m??=t.parentNode;if(!e)return;let i=q(e),s=i??e;t.parentNode!==s&&(this.#e.textContent=this.#a.textContent="",s.append(t),i&&p(i,"close",()=>this.#d(),void 0,{once:!0}))}#n(){this.#d(),this.#h||=setTimeout(()=>{let t=this.#s,i=[...t.length>this.#o?[this.#t(t.length)]:t,this.#l,this.#r].filter(Boolean);i.length&&(this.#e.textContent=i.join(". ")),this.clear()},this.#i)}};var At=T(`${rt}
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
`);var[Ot,Ft]=[6e3,2e4],S=class{constructor({closeLabel:t,live:e,field:i}){this.#t=t,this.#o=e,this.#i=i??(()=>this.#e?.querySelector(".composer")),this.element=h("div",{class:"toasts"})}#t;#o;#i;#e=null;#a=new ResizeObserver(()=>this.#s());show(t,{isFailure:e=!1,action:i}={}){for(let a of this.element.children)a.firstChild?.textContent===t&&a.remove();let s=0,o=()=>{clearTimeout(s),r.remove(),this.element.firstChild||this.#a.disconnect()},n=()=>{clearTimeout(s),(!e||!i)&&(s=setTimeout(o,e?Ft:Ot))},r=h("div",{class:"toast",part:"toast",dir:"auto"},h("span",null,t),i&&h("button",{type:"button",class:"button",onclick:()=>{o(),i.run()}},i.label),h("button",{type:"button",class:"icon-button","aria-label":this.#t,onclick:o},g("close")));for(p(r,"pointerenter focusin",()=>clearTimeout(s)),p(r,"pointerleave focusout",n),this.element.append(r);this.element.children.length>3;)this.element.firstChild?.remove();return n(),this.#s(),e?this.#o?.failure(t):this.#o?.note(t),o}#s(){let{element:t}=this,e=this.#e??=t.parentNode;if(!e||!t.firstChild)return;let i=q(e,"dialog:modal:not(.menu)"),s=i??e;t.parentNode!==s&&(s.append(t),i&&p(i,"close",()=>this.#s(),void 0,{once:!0}));let o=i?i.querySelector("footer:not([hidden])"):this.#i(),n=o?.getBoundingClientRect(),r=t.offsetParent?.getBoundingClientRect().bottom??innerHeight;t.style.setProperty("bottom",`${n?.height?r-n.top+8:16}px`),o&&this.#a.observe(o)}};var jt=T(`
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
`);var Dt=T(`
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
`);var Wt=typeof MediaRecorder<"u"&&Boolean(navigator.mediaDevices),Ht=200,R=class{constructor(t,{onsend:e,onleave:i}){let{t:s,signal:o}=t;this.#t=t,this.#o=e,this.#i=i,this.field=h("textarea",{class:"field-text",rows:"1",part:"field","aria-label":s("composer.label"),enterkeyhint:"send",autocapitalize:"sentences",autocomplete:"off"}),this.#e=h("div",{class:"grow-field"},this.field),this.#a=h("span",{class:"counter",hidden:!0}),this.#s=this.#L("composer.more","add",()=>this.#P()),this.#l=this.#L("composer.emoji","emoji",()=>this.#K()),this.#l.classList.add("emoji-button"),this.#r=this.#L("composer.send","send",()=>this.send()),this.#r.classList.add("primary"),this.#h=this.#L("composer.record","microphone",()=>this.#O()),this.#m=h("div",{class:"replying",hidden:!0}),this.#g=h("div",{class:"scheduled",hidden:!0}),this.#w=h("div",{class:"line"},this.#s,this.#e,this.#l,this.#h,this.#r),this.#v=h("div",{class:"line recording",hidden:!0}),this.#x=h("p",{class:"note",hidden:!0}),this.#z=h("div",{class:"bar"},this.#g,this.#m,this.#w,this.#v,this.#a),this.element=h("div",{class:"composer",part:"composer"},this.#z,this.#x),p(this.field,"input",()=>this.#q(),o),p(this.field,"keydown",u=>this.#R(u),o),p(this.field,"paste",u=>this.#B(u),o),p(this.field,"select click keyup",()=>this.#d?.update(this.#c,this.#f),o),p(this.field,"blur",()=>this.#d?.close(),o),p(o,"abort",()=>{this.#F(),this.#n?.end()}),this.update();let{text:n,mentions:r,replyTo:a,files:l}=t.conversation.draft;this.#f=r,this.#u=l,this.#j(a),this.#D(n),l.length&&this.#k()}#t;#o;#i;#e;#a;#s;#l;#r;#h;#m;#g;#d=null;#n=null;#u=[];#p=[];#w;#v;#x;#z;#c="";#f=[];#T=null;#y=null;#b={};focus(){this.#z.hidden||this.field.focus({preventScroll:!0})}update(){let{conversation:t,client:e,t:i}=this.#t,{isGone:s,channel:o,schedules:n,canWrite:r,blockedPeer:a}=t;if(this.#b.canWrite!==r||this.#b.isGone!==s){let l=this.element.contains(k()),u=r?"":a?i("conversation.blocked",{name:a.name}):this.#M();this.#z.hidden=!r,this.#x.hidden=!u,v(this.#x,u,a&&[" ",h("button",{type:"button",class:"fold",onclick:()=>e.perform("user.unblock",{userID:a.userID}).catch(this.#t.fail)},i("user.unblock",{name:a.name}))]),l&&!r&&this.#i()}this.#b.name!==o?.name&&(this.field.placeholder=o?.kind==="single"?i("composer.placeholderTo",{name:o.name}):i("composer.placeholder")),this.#b.schedules!==n&&(n.length||this.#b.schedules?.length)&&zt(this.#t,this.#g),this.#b={canWrite:r,isGone:s,name:o?.name,schedules:n}}#M(){let{conversation:t,client:e,t:i}=this.#t,{isGone:s,isBanned:o,isPeerDeleted:n,ending:r,error:a,items:l}=t;return n?i("error.userDeleted"):o?i("conversation.banned"):s?a&&!l.length?"":r&&at(r,i,e.user.userID)||i("conversation.left"):i("conversation.news")}reply(t){this.#j(t),this.#C(),this.focus()}#j(t){let{t:e,client:i}=this.#t;this.#T=t,this.#m.hidden=!t,v(this.#m,t&&[ut(this.#t,t,t.senderID===i.user.userID),this.#L("reply.cancel","close",()=>this.reply(null))]),y(this.#m,{role:"group","aria-label":t&&e("reply.to",{name:t.senderName??""})})}#C(){let t=[...this.#n?.files??this.#u,...this.#p];this.#t.conversation.setDraft({text:this.#c,mentions:this.#f,replyTo:this.#T,files:t})}async send(){let{conversation:t}=this.#t;if(this.#c.includes("@")&&!this.#d&&await this.#E().catch(()=>{}),this.#u.length&&!await this.#k())return;let e=this.#c,i=this.#T??void 0,s=/\S/.test(e);if(!t.canWrite||this.#A<0||!(s||this.#S))return;let o=s?this.#d?.written(e,this.#f)??this.#f:[];this.#S?this.#n?.send({text:s?e:"",mentions:o,replyTo:i}):t.send({text:e,mentions:o,replyTo:i}),this.#f=[],this.#D(""),this.#q(),this.reply(null),this.#o()}async addFiles(t){(await this.#k())?.add(t)}async#k(){try{let{Attachments:t}=await wt();this.#n||(this.#n=new t(this.#t,()=>{this.#I(),this.#C()}),this.#w.before(this.#n.element),this.#n.restore(this.#u),this.#u=[])}catch(t){this.#t.fail(t)}return this.#n}get#S(){return this.#n?.count??this.#u.length}async#E(){if(!(!this.#d&&!/[@:]/.test(this.#c))){if(!this.#d){let{MentionPopup:t}=await yt();this.#d??=new t(this.#t,this.field,e=>{this.#f=e.mentions,this.#D(e.text,e.cursor),this.#q()}),this.#z.prepend(this.#d.element)}this.#d.update(this.#c,this.#f)}}get#A(){return(this.#t.client.limits?.textLength??8e3)-this.#c.length}#L(t,e,i){let s=this.#t.t(t);return h("button",{type:"button",class:"icon-button","aria-label":s,title:s,onclick:i,onpointerdown:o=>o.preventDefault()},g(e))}#D(t,e=t.length){this.field.value=t,this.field.setSelectionRange(e,e),this.#c=t,this.#I()}#q(){let{conversation:t}=this.#t,e=this.field.value;this.#f=lt(this.#f,this.#c,e),this.#c=e,this.#C(),e?t.userIsTyping():t.userStoppedTyping(),this.#I(),this.#E().catch(()=>{})}#I(){let{t}=this.#t;this.#e.dataset.text=this.#c,this.field.dir=this.#c?"auto":t.dir;let e=this.#A,i=/\S/.test(this.#c)||this.#S>0;this.#r.disabled=!i||e<0,this.#h.hidden=i||!Wt,this.#r.hidden=!this.#h.hidden;let s=e<=Ht;this.#a.hidden=!s,s&&(b(this.#a,e<0?t("composer.tooLong",{count:-e}):t("composer.charactersLeft",{count:e})),this.#a.classList.toggle("is-near",e<=10),y(this.field,{"aria-invalid":e<0?"true":null}))}#R(t){t.isComposing||t.keyCode===229||(this.#d?.keyPressed(t)?(t.preventDefault(),t.stopPropagation()):t.key==="Enter"&&!t.shiftKey&&!t.altKey&&!t.ctrlKey&&!t.metaKey?(t.preventDefault(),this.send()):t.key==="Escape"&&this.#T?(t.preventDefault(),t.stopPropagation(),this.reply(null)):t.key==="ArrowUp"&&!this.#c&&!t.shiftKey&&(t.preventDefault(),this.#i()))}#B(t){let e=[...t.clipboardData?.files??[]];!e.length||t.clipboardData?.types.includes("text/plain")||(t.preventDefault(),this.addFiles(e))}#P(){St(this.#t,{anchor:this.#s,returnTo:this.field,text:this.#A<0||this.#S?"":this.#c,mentions:()=>this.#d?.written(this.#c,this.#f)??this.#f,pick:async t=>(await this.#k())?.pick(t),onsend:this.#o,onscheduled:()=>{this.#f=[],this.#D(""),this.#q()}})}#K(){let{selectionStart:t,selectionEnd:e}=this.field;I(this.#t,{anchor:this.#l,returnTo:this.field,onpick:i=>{this.field.setRangeText(i,t,e,"end"),this.#q()}})}#O(){this.#y??=new AbortController,Mt(this.#t,{bar:this.#v,line:this.#w,signal:this.#y.signal,onpart:t=>{this.#p=t,this.#C()},onend:t=>{if(this.#y=null,this.focus(),!t)return;let{file:e,...i}=t;this.#t.conversation.sendFile(e,{...i,replyTo:this.#T??void 0}),this.reply(null),this.#o()}})}#F(){this.#y?.abort(),this.#y=null}};var B=class{constructor(t,{onBack:e,onDetails:i,ontitle:s,onleave:o}){this.#t=t,this.#o=s,this.#i=o;let{t:n}=t,r=(u,x,C)=>h("button",{type:"button",class:"icon-button","aria-label":n(u),title:n(u),onclick:C},g(x)),a=e&&r("back","back",e);a?.classList.add("back"),this.#e=i&&r("details","more",i);let l=h("div",{class:"about",onclick:i},this.#a,h("div",{class:"titles"},h("h2",{class:"ellipsis",id:"conversation-title"},this.#s),this.#l));l.classList.toggle("opens",Boolean(i)),this.element=h("header",{class:"conversation-header",part:"header"},a,l,h("slot",{name:"header"}),this.#e)}#t;#o;#i;#e;#a=h("span",{class:"header-avatar"});#s=h("bdi",null);#l=h("p",{class:"hint ellipsis"});#r="";draw(){let{conversation:t,client:e,t:i}=this.#t,{channel:s}=t,n=(s?.kind==="self"?i("kind.self"):s?.name)??(this.#s.textContent||(t.isBanned?t.id:"")),r=s?.memberCount??0,a=s&&et(e,s),l=JSON.stringify([n,r,s?.kind,a]),u=this.#e;if(u&&u.hidden!==!s&&(k()===u&&this.#i(),u.hidden=!s),l===this.#r)return;this.#r=l,b(this.#s,n),this.#o(n),u&&y(u,{"aria-label":i("conversation.details",{title:n})});let x=s?{single:"",self:"",open:i("count.here",{count:r}),group:i("count.members",{count:r})}[s.kind]??i("count.subscribers",{count:r}):"";b(this.#l,x),this.#l.hidden=!x,a&&v(this.#a,ct({...a,name:n},{size:36,resolve:C=>e.imageURL(C)}))}};var P=class{constructor(t){this.#t=t;let{client:e,conversation:i,live:s,signal:o,t:n}=t;p(e,"message",({detail:{channel:r,message:a,isOwn:l}})=>{if(r!==i.id||l||pt(t,a))return;let u=a.senderName??n("announcement");s.message(n("announce.message",{name:u,text:dt(a,n)}))},o)}#t;#o=new Set;update(){let{conversation:t,live:e,t:i}=this.#t,{items:s,typing:o}=t;o.length&&e.typing(E(o,i));for(let n=s.length-1;n>=0;n-=1){let r=s[n];if(r.kind==="message"){if(r.state==="sent")break;r.state!=="failed"?this.#o.delete(r.key):this.#o.has(r.key)||(this.#o.add(r.key),e.failure(r.error?i("state.failedWhy",{reason:w(r.error,i)}):i("announce.notSent")))}}}};var K=class{constructor(t){this.#t=t}#t;element=h("div",{class:"empty",hidden:!0});draw(){let{conversation:t,t:e}=this.#t,{items:i,isLoading:s,hasLoaded:o,hasBefore:n,error:r}=t,a=i.length?"":r&&(!o||n)?"error":o&&!s&&!n?"empty":"loading";this.element.dataset.state!==a&&(this.element.dataset.state=a,this.element.hidden=!a,v(this.element,a==="loading"&&[h("span",{class:"spinner"}),h("span",{class:"visually-hidden"},e("loading"))],a==="empty"&&h("slot",{name:"empty"},h("p",null,e("conversation.empty"))),a==="error"&&[!t.isBanned&&h("p",null,w(r,e)),!t.isGone&&h("button",{type:"button",class:"button",onclick:()=>t.refresh()},e("retry"))]))}};var Lt=1600,O=class{constructor({conversation:t,t:e,signal:i},s,o){this.#t=t,this.#o=s,this.#i=i,this.#e=o,this.element=h("div",{class:"page-loading",hidden:!0},h("span",{class:"spinner"}),h("span",{class:"visually-hidden"},e("conversation.loadingOlder")))}#t;#o;#i;#e;#a=!1;draw(){this.element.hidden=!this.#a||!this.#t.items.length}async check(){let t=this.#t;if(this.#a||!t.hasLoaded||this.#i.aborted)return;let{above:e,below:i}=this.#o,s=t.hasBefore&&e<Lt;if(!s&&!(t.hasAfter&&i<Lt))return;this.#a=!0;let{items:o}=t;this.draw(),await(s?t.loadBefore():t.loadAfter()),this.#a=!1,this.draw(),t.items!==o&&!this.#i.aborted&&this.#e()}};var F=new WeakMap,W=class{constructor(t,e){this.#t=t,this.#o=e}#t;#o;#i=null;get kept(){return F.get(this.#t)}resume({offset:t,seen:e},i){this.#i=e,this.#o.goTo(i,t)}keep(){let{place:t}=this.#o;this.#i&&(t?F.set(this.#t,{...t,seen:this.#i}):F.delete(this.#t))}forget(){F.delete(this.#t)}see(){let{channel:t,timeline:e}=this.#t;if(!t)return;let{separator:i}=e;if(this.#i??=i===null?{seq:t.seq,count:t.count}:{seq:i,count:t.count-(t.unread??0)},document.visibilityState!=="visible")return;let{items:s,isFollowing:o,visible:n}=this.#o,r=o?s.length-1:s.lastIndexOf(n[1]);for(;r>=0;r-=1){let a=s[r],{seq:l=0,count:u=this.#i.count}=a.kind==="message"?(a.parts?.at(-1)??a).message:{};if(l){l>this.#i.seq&&(this.#i={seq:l,count:u});return}}}get newCount(){let{items:t,hasAfter:e,channel:i}=this.#t,s=this.#i;if(!s||!i)return 0;if(e)return Math.max(0,i.count-s.count);let o=0;for(let n=t.length-1;n>=0;n-=1){let r=t[n];if(r.kind==="message"){if((r.message.seq??1/0)<=s.seq)break;!r.isOwn&&!r.message.recall&&(o+=1)}}return o}};var Nt=450,Ut=8;function qt(d,t){let{t:e,signal:i,conversation:s}=d,{rows:o}=t,n=c=>c.closest("a, button, input, label, video, .media, .avatar-column"),r=c=>{let f=t.itemAt(c);return f?.kind!=="message"?null:d.extras?.partAt(c,f)??f},a=c=>c.closest("[data-key]"),l=0,[u,x]=[0,0],C=!1,V=!1;p(o,"pointerdown",c=>{[u,x,C,V]=[c.clientX,c.clientY,!1,!1],clearTimeout(l);let f=r(c.target);c.pointerType==="mouse"||!f||c.target.closest("input, .progress")||(l=setTimeout(()=>{V=!0,ot(),z(d,f,{point:{x:u,y:x},returnTo:a(c.target)})},Nt))},i),p(o,"pointermove",c=>{Math.hypot(c.clientX-u,c.clientY-x)<Ut||(C=!0,clearTimeout(l))},i,{passive:!0}),p(o,"pointerup pointercancel pointerleave",()=>clearTimeout(l),i),p(o,"click",c=>{let f=r(c.target);if(!f)return;let m=c.target.closest("[data-more]");m?z(d,f,{anchor:m,returnTo:c.detail?a(m):m}):s.channel?.kind==="open"&&!C&&!n(c.target)&&mt(f)&&Ct(d,f.message)},i),p(o,"contextmenu",c=>{let f=r(c.target),m=getSelection(),L=m&&!m.isCollapsed&&c.button===2;if(!f||L||c.target.closest("a, video")||(c.preventDefault(),clearTimeout(l),V))return;let A=a(c.target),Kt=c.button!==2&&c.pointerType!=="touch"?{anchor:A.querySelector(".bubble")}:{point:{x:c.clientX,y:c.clientY}};z(d,f,{...Kt,returnTo:A})},i),p(o,"keydown",c=>{if(!(c.ctrlKey||c.metaKey||c.altKey)){if(c.key==="Escape")d.focusComposer();else if(c.key==="r"&&c.target===a(c.target)){let f=r(c.target);if(!f?.message.messageID||f.message.recall||!s.canWrite)return;c.preventDefault(),d.reply(f.message)}}},i);let tt=(c,f,m)=>h("button",{type:"button",class:"icon-button",tabindex:"-1","aria-label":e(c),title:e(c),onclick:L=>{let A=r(L.target);A&&m(A,L.currentTarget)}},g(f)),X=h("span",{class:"tools"},tt("message.react","emoji",({message:c},f)=>I(d,{anchor:f,returnTo:a(f),onpick:m=>s.react(c.messageID??"",m).catch(d.fail)})),tt("message.reply","reply",({message:c})=>d.reply(c)));p(o,"pointerover",c=>{if(c.pointerType!=="mouse"||!s.canWrite)return;let f=a(c.target);if(!f||X.parentElement===f)return;let m=r(f);m?.message.messageID&&!m.message.recall?f.append(X):X.remove()},i,{passive:!0})}var H=class{#t=[];#o=[0];get count(){return this.#t.length}get total(){return this.top(this.count)}at(t){return this.#t[t]}splice(t,e,i){let s=t===this.count&&!e;if(this.#t.splice(t,e,...i),s)for(let o=t;o<this.count;o+=1)this.#i(o);else this.#e()}set(t,e){let i=e-this.#t[t];if(!i)return 0;this.#t[t]=e;for(let s=t+1;s<=this.count;s+=s&-s)this.#o[s]+=i;return i}top(t){let e=0;for(let i=t;i>0;i-=i&-i)e+=this.#o[i];return e}find(t){let e=0,i=t,s=1;for(;s*2<=this.count;)s*=2;for(;s;s=Math.floor(s/2))e+s<=this.count&&this.#o[e+s]<=i&&(e+=s,i-=this.#o[e]);return Math.max(0,Math.min(e,this.count-1))}#i(t){let e=t+1,i=this.#t[t];for(let s=e-1,o=e-(e&-e);s>o;s-=s&-s)i+=this.#o[s];this.#o[e]=i}#e(){this.#o.length=1;for(let t=0;t<this.count;t+=1)this.#i(t)}};function Et(d,t){let e=Math.min(d.length,t.length),i=(n,r)=>n===r||n.key===r.key,s=0;for(;s<e&&i(d[s],t[s]);)s+=1;let o=0;for(;o<e-s&&i(d[d.length-1-o],t[t.length-1-o]);)o+=1;return{index:s,removed:d.length-s-o,inserted:t.length-s-o}}function Z(d,{top:t,height:e,margin:i,most:s}){if(!d.count)return{start:0,end:0};let o=d.find(t-i),n=d.find(t+e+i)+1;if(n-o>s){let r=d.find(t+e/2);o=Math.max(o,r-Math.floor(s/2)),n=Math.min(n,o+s)}return{start:o,end:n}}function It({top:d,height:t,total:e}){return e-d-t<=80}var Rt=600,Bt=240,j=12,U=class{constructor(t){this.#t=t,this.rows=h("div",{class:"rows",role:"list","aria-label":t.label,part:"timeline"}),this.element=h("div",{class:"scroller",tabindex:"-1"},this.rows);let{signal:e}=t;p(this.element,"scroll",()=>this.#j(),e,{passive:!0}),p(this.rows,"keydown",s=>this.#E(s),e),p(this.rows,"focusin",s=>this.#k(this.#v(s.target)),e);let i=new ResizeObserver(s=>this.#M(s));i.observe(this.element),this.#o=i,p(e,"abort",()=>i.disconnect())}#t;#o;#i=new H;#e=[];#a=0;#s=0;#l=new Map;#r=0;#h={index:0,offset:0};#m=!0;#g=!0;#d=!1;#n="";#u=!1;#p=!1;#w=!1;get items(){return this.#e}get visible(){let t=this.#x();return[t,t+this.#r-j].map(e=>this.#e[this.#i.find(e)])}get whole(){let t=this.#x(),e=this.#i.find(t+this.#r),i=this.#i.top(e+1)<=t+this.#r;return this.#e.slice(this.#i.find(t),i?e+1:e)}get place(){let{index:t,offset:e}=this.#h;for(let i=t;!this.#g&&i<this.#e.length;i+=1){let s=this.#e[i],o=s.kind==="message"&&s.message.messageID;if(o)return{messageID:o,offset:e+this.#i.top(i)-this.#i.top(t)}}return null}get isFollowing(){return this.#g}get above(){return this.#x()}get below(){return Math.max(0,this.#i.total+j-this.#x()-this.#r)}setItems(t,e){let i=this.#e;if(e&&!this.#d&&this.#C(this.#x()),this.#d=e,e&&(this.#g=this.#m=!1),t===i)return;let{index:s,removed:o,inserted:n}=Et(i,t);if(o||n){let r=new Map;for(let l=s;l<s+o;l+=1)r.set(i[l].key,this.#i.at(l));let a=t.slice(s,s+n).map(l=>r.get(l.key)??this.#t.estimate(l));this.#i.splice(s,o,a),this.#z(i,t,{index:s,removed:o,inserted:n}),this.#g&&s+n===t.length&&(this.#m=!0)}if(this.#e=t,!this.#u||!t.some(r=>r.key===this.#n)){this.#u=!1;for(let r=t.length-1;r>=0;r-=1)if(D(t[r])){this.#n=t[r].key;break}}this.#c(!0)}goToEnd(){this.#g=this.#m=!0,this.#c(),this.#t.onposition()}goTo(t,e){if(!this.#e[t])return null;this.#g=this.#m=!1,this.#r||=this.element.clientHeight;let i=typeof e=="number"?e:e==="top"?Math.min(96,this.#r/5):Math.max(24,(this.#r-this.#i.at(t))/2);return this.#h={index:t,offset:i},this.#c(),this.#C(this.#x()),this.#t.onposition(),this.row(this.#e[t].key)}row(t){for(let e of this.rows.children)if(this.#v(e)===t)return e;return null}itemAt(t){let e=t.closest("[data-key]"),i=e?this.#l.get(e):void 0;return i===void 0?null:this.#e[i]}refresh(){for(let[t,e]of this.#l){let i=this.#e[e];this.#T(t,i,i)}this.#b([...this.#l.keys()]),this.#c()}drawWhole(t){this.#w=t,this.#c(!0)}focus(){let t=this.#e.findIndex(e=>e.key===this.#n);t>=0?this.#S(t):this.element.focus({preventScroll:!0})}#v(t){return t.closest?.("[data-key]")?.dataset.key??""}#x(){let t=Math.max(0,this.#i.total+j-this.#r);return this.#m?t:Math.max(0,Math.min(t,this.#i.top(this.#h.index)-this.#h.offset))}#z(t,e,{index:i,removed:s,inserted:o}){let{index:n}=this.#h;if(n<i)return;if(n>=i+s){this.#h.index=n+o-s;return}let r=new Map;for(let a=i;a<i+o;a+=1)r.set(e[a].key,a);for(let a=n;a<i+s;a+=1){let l=r.get(t[a].key);if(l!==void 0){this.#h.index=l;return}}this.#h.index=Math.max(0,Math.min(i+o,e.length-1))}#c(t=!1){let e=t;this.#r||=this.element.clientHeight;for(let s=0;s<4;s+=1){let n={top:this.#x(),height:this.#r,margin:Rt,most:Bt},{start:r,end:a}=this.#w?{start:0,end:this.#i.count}:Z(this.#i,n);if(!e&&r===this.#a&&a===this.#s)break;e=!1,this.#f(r,a)}this.#p=!0;let i=this.#x();Math.abs(this.element.scrollTop-i)>.4&&(this.element.scrollTop=i)}#f(t,e){let i=k(),s=i&&this.rows.contains(i)?this.#v(i):"",o=this.#e.slice(t,e);s&&!o.some(l=>l.key===s)&&this.element.focus({preventScroll:!0});let n=[];st(this.rows,o,l=>l.key,l=>{let u=this.#t.makeRow(l);return u.dataset.key=l.key,this.#o.observe(u),n.push(u),N(u,l.key===this.#n),u},(l,u,x)=>{this.#T(l,u,x),n.push(l)});let r=this.#l;this.#l=new Map;let a=t;for(let l of this.rows.children)this.#l.set(l,a),r.delete(l),a+=1;for(let l of r.keys())this.#o.unobserve(l);this.#a=t,this.#s=e,this.#b(n),this.#y()}#T(t,e,i){let s=t.contains(k());this.#t.updateRow(t,e,i),N(t,e.key===this.#n),s&&!t.contains(k())&&t.focus({preventScroll:!0})}#y(){let{style:t}=this.rows;t.paddingTop=`${this.#i.top(this.#a)}px`,t.paddingBottom=`${this.#i.total-this.#i.top(this.#s)+j}px`}#b(t){let e=t.map(i=>i.getBoundingClientRect().height);t.forEach((i,s)=>{let o=this.#l.get(i);o!==void 0&&e[s]&&this.#i.set(o,e[s])})}#M(t){if(this.#w)return;let e=!1;for(let{target:i,borderBoxSize:s}of t){let o=s[0].blockSize,n=this.#l.get(i);i===this.element?(e||=Math.abs(this.#r-o)>.1,this.#r=o):n!==void 0&&o&&Math.abs(this.#i.at(n)-o)>.1&&(this.#i.set(n,o),e=!0)}e&&(this.#y(),this.#c(),this.#t.onposition())}#j(){if(this.#r||=this.element.clientHeight,!this.#r||this.#w)return;let{scrollTop:t}=this.element;if(!this.#p||Math.abs(t-this.#x())>1){this.#C(Math.max(0,t));let{start:e,end:i}=Z(this.#i,{top:t,height:this.#r,margin:Rt/2,most:Bt});(e<this.#a||i>this.#s)&&this.#c()}this.#p=!1,this.#t.onposition()}#C(t){let e={top:t,height:this.#r,total:this.#i.total+j};this.#g=!this.#d&&It(e),this.#m=this.#g&&e.total-t-e.height<2;let{count:i}=this.#i,s=this.#i.find(t),o=this.#e.findIndex(D),n=s,r=()=>D(this.#e[n])&&n!==o&&this.#i.top(n)>=t;for(;n<i&&!r();)n+=1;if(n===i||this.#i.top(n)>=t+this.#r)for(n=s;n<i-1&&!D(this.#e[n]);)n+=1;this.#h={index:n,offset:this.#i.top(n)-t}}#k(t){if(!t||t===this.#n)return;let e=this.row(this.#n);e&&N(e,!1),this.#n=t,this.#u=!0;let i=this.row(t);i&&N(i,!0)}#S(t){let e=this.#e[t].key,i=this.row(e)??this.goTo(t,"center");i&&(this.#k(e),i.focus({preventScroll:!0}),i.scrollIntoView({block:"nearest"}))}#E(t){let e=t.target;if(t.altKey||t.ctrlKey||t.metaKey||e.matches("input, textarea"))return;let i=e.closest("[data-key]"),s=this.#l.get(i);if(s===void 0)return;let{key:o}=t;if(e===i&&(o==="Enter"||o===" ")){t.preventDefault(),this.#t.onopen(i,this.#e[s]);return}let n=this.#e.length-1,r=o==="ArrowUp"||o==="End"?-1:1,a={ArrowUp:s-1,ArrowDown:s+1,Home:0,End:n}[o];if(a!==void 0){for(t.preventDefault();this.#e[a]&&!D(this.#e[a]);)a+=r;this.#e[a]&&this.#S(a)}}},D=d=>d.kind==="message"||d.kind==="line";function N(d,t){d.hasAttribute("tabindex")&&(d.tabIndex=t?0:-1);for(let e of d.querySelectorAll("a, button, input, audio, video"))e.tabIndex=t?0:-1}var $t=5,$=class{constructor(t,e,i,s={}){let{signal:o}=this.#t;this.#o=s.live??new M({summary:n=>i("announce.messages",{count:n})}),this.#i=s.toasts??new S({closeLabel:i("close"),live:this.#o}),this.element=h("div",{class:"conversation",part:"conversation",lang:i.lang,dir:i.dir,role:"region","aria-labelledby":"conversation-title"}),this.#e={client:t,conversation:e,t:i,times:ht(i,s.timeZone),signal:o,root:this.element,toasts:this.#i,live:this.#o,fail:n=>void this.#i.show(w(n,i),{isFailure:!0}),start:n=>this.#S(n),jump:n=>this.#k(n),reply:n=>this.composer.reply(n),focusComposer:()=>this.composer.focus(),openedAt:Date.now()},this.#a=s,this.#s=new U({label:i("conversation.messages"),makeRow:n=>{let r=gt(this.#e,n);return this.#e.extras?.mark(r,n),r},updateRow:(n,r,a)=>{xt(this.#e,n,r,a),this.#e.extras?.mark(n,r)},estimate:ft,onposition:()=>this.#j(),onopen:(n,r)=>r.kind==="message"&&z(this.#e,r,{anchor:n.querySelector(".bubble"),returnTo:n}),signal:o}),this.composer=new R(this.#e,{onsend:()=>this.#C(),onleave:()=>this.#s.focus()}),this.#r=new B(this.#e,{onBack:s.onBack,onDetails:s.onDetails,onleave:()=>this.focus(),ontitle:n=>this.#s.rows.setAttribute("aria-label",i("conversation.messagesWith",{title:n}))}),this.#h=new K(this.#e),this.#m=new O(this.#e,this.#s,()=>this.#f()),this.#g=new P(this.#e),this.#l=new W(e,this.#s),this.element.append(this.#r.element,h("div",{class:"timeline"},this.#s.element,this.#h.element,this.#m.element),this.#d,this.composer.element),s.live||this.element.append(this.#o.element),s.toasts||this.element.append(this.#i.element),qt(this.#e,this.#s),this.#z()}#t=new AbortController;#o;#i;#e;#a;#s;#l;#r;#h;#m;#g;#d=h("p",{class:"typing ellipsis","aria-hidden":"true"});#n=null;#u=null;#p=!1;#w=!1;#v=!0;#x="";async open(){let{conversation:t,signal:e}=this.#e,i=t.open();this.#f(),Tt(this.#e.client),await i;let s=()=>this.#v&&!e.aborted;if(s()){let{kept:o}=this.#l;if(o)await t.loadAround(o.messageID,s).catch(()=>{});else for(let n=0;n<$t&&s()&&this.#M;n+=1)await t.loadBefore()}this.#v=!1,e.aborted||this.#f()}close(){let{signal:t}=this.#t;t.aborted||(this.#p&&this.#l.keep(),this.#e.conversation.close(),this.#t.abort(),this.#o.clear(),kt(),this.element.remove())}focus(){this.#e.conversation.canWrite?this.composer.focus():this.#s.focus()}#z(){let{client:t,conversation:e,signal:i}=this.#e,s=nt(()=>this.#f(),i);p(e,"change",()=>{this.#c()?this.#f():s()},i),p(t,"blocked",()=>{this.#s.refresh(),s()},i),p(t,"state",s,i),p(document,"visibilitychange",()=>{this.#n?.check(),document.visibilityState==="visible"&&this.#j()},i),vt().then(({Extras:o,JumpButton:n,ReadMarker:r})=>{i.aborted||(this.#n=new r(this.#e,this.#s,()=>this.#p&&!this.#v&&!this.#M),this.#u=new n(this.#e,this.#s,this.#l,()=>this.#C(!0)),this.#e.extras=new o(this.#e,this.#s),this.#f())},()=>{}),bt().then(({watchDrops:o})=>o(this.#e,this.element,this.composer),()=>{})}#c(){let t=this.#e.conversation.items.at(-1);return t?.kind==="message"&&t.state!=="sent"&&t.key!==this.#x}#f(){let{conversation:t,t:e}=this.#e,{items:i,hasLoaded:s,channel:o,typing:n}=t;this.element.classList.toggle("single",o?.kind==="single"),this.#r.draw(),b(this.#d,E(n,e)),this.#x=i.at(-1)?.key??"",this.#y(),this.#T(this.#s.items,s),this.#h.draw(),this.#m.draw(),this.#g.update(),this.composer.update(),this.#j()}#T(t,e){if(!t.length||!this.element.isConnected)return;let i=!this.#p&&this.#l.kept,s=i?this.#b(i.messageID):-1;i&&s>=0&&(this.#p=this.#w=!0,this.#l.resume(i,s));let o=t.findIndex(n=>n.kind==="unread");o<0?(this.#w=!1,this.#p||this.#s.goToEnd()):(!this.#p||!this.#w&&this.#s.isFollowing)&&(this.#w=!0,this.#s.goTo(o,"top")),this.#p||=e&&!(this.#v&&(i||this.#M))}#y(){let{conversation:t,extras:e}=this.#e,{items:i,hasAfter:s}=t;this.#s.setItems(e?.grouped(i)??i,s)}#b(t){return this.#s.items.findIndex(e=>e.kind==="message"&&(e.parts??[e]).some(({message:i})=>i.messageID===t))}get#M(){let{items:t,hasBefore:e,hasLoaded:i}=this.#e.conversation,s=t[t[0]?.kind==="day"?1:0];return i&&e&&(s?.kind==="unread"||t[0]?.kind==="unread")}#j(){this.#p&&(this.#l.see(),this.#u?.draw()),this.#n?.check(),this.#p&&this.#m.check()}async#C(t=!1){let{conversation:e,fail:i}=this.#e;this.#v=!1,this.#l.forget();try{e.hasAfter&&await e.loadNewest()}catch(s){return i(s)}this.#y(),this.#s.goToEnd(),t&&this.focus()}async#k(t){let{conversation:e,t:i}=this.#e;try{await e.loadAround(t)}catch{}this.#y();let s=this.#b(t);if(s<0){this.#i.show(i("reply.unavailable"));return}let o=this.#s.goTo(s,"center");o&&(o.focus({preventScroll:!0}),o.classList.remove("is-found"),o.offsetWidth,o.classList.add("is-found"),p(o,"animationend",()=>o.classList.remove("is-found"),this.#t.signal,{once:!0}))}async#S(t){let{client:e,fail:i}=this.#e;try{let s=await e.startConversation(t);this.#a.onOpen?.(s)}catch(s){i(s)}}};var Pt=T(`
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
`);var Gt=1500,G=class extends(globalThis.HTMLElement??Object){constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[At,Dt,jt,Pt],this.#t=h("div",{class:"connection",part:"connection",hidden:!0}),this.#o=h("div",{class:"list-pane",hidden:!0}),this.#i=h("div",{class:"conversation-pane"}),this.#e=h("div",{class:"panes"},this.#o,this.#i),this.#a=h("div",{class:"frame"},this.#t,this.#e),t.append(this.#a)}static get observedAttributes(){return["server","token","guest","channel","user","lang","mode"]}#t;#o;#i;#e;#a;#s=it("en");#l=new M({summary:t=>this.#s("announce.messages",{count:t})});#r=new S({closeLabel:"",live:this.#l});#h=null;#m=!1;#g=null;#d=new AbortController;#n=null;#u=null;#p=[];#w="";#v=!1;#x=!1;get client(){return this.#h}get conversation(){let t=this.#p.at(-1);return t&&this.#h?.conversation(t)||null}get list(){return this.#n}get texts(){return this.#s}connectedCallback(){this.#h||this.#f()}disconnectedCallback(){queueMicrotask(()=>{this.isConnected||this.#y()})}attributeChangedCallback(t,e,i){e===i||!this.isConnected||(t==="channel"||t==="user"||t==="mode"?this.#C():t==="lang"?this.#j():this.#f())}async connect(t={}){this.#y();let{client:e,...i}=t;this.#g=i,this.#d=new AbortController;let{signal:s}=this.#d,o=e??Y(this.#T());this.#h=o,this.#m=!e;for(let r of["message","unread","error"])p(o,r,({detail:a})=>this.#c(r,a),s);p(o,"state",()=>this.#D(),s);let n=setTimeout(()=>{this.#x=!0,this.#D()},Gt);if(p(s,"abort",()=>clearTimeout(n)),this.#I(s),this.#R(s).catch(()=>{}),this.#s=await _(this.getAttribute("lang")||null),!s.aborted&&(this.#D(),await o.ready,!s.aborted)){if(o.state==="refused"){if(this.#i.replaceChildren(),!this.#z)return;let{showOriginNotice:r}=await import("./chunks/origin-notice-374KU725.js");s.aborted||r(this.#i,o.server,this.#s);return}await this.#M(),await this.#C(),s.aborted||this.#c("ready")}}open(t){if(t===(this.#p.at(-1)??null)){this.#u?.focus();return}this.#p=t?[t]:[],this.#k()}focus(){this.#u?this.#u.focus():this.#n?.focus()}get#z(){let{error:t,server:e=""}=this.#h??{};return t?.name==="origin"&&!["null",e].includes(location.origin)}#c(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e,composed:!0}))}#f(){this.#v||(this.#v=!0,queueMicrotask(()=>{this.#v=!1;let{token:t,guest:e}=this.#T();this.isConnected&&(t||e)&&this.connect(this.#g??{})}))}#T(){let[t,...e]=(this.getAttribute("guest")??"").split(" ");return{server:this.getAttribute("server")??void 0,token:this.getAttribute("token")??void 0,guest:t?{userID:t,name:e.join(" ")||void 0}:void 0,...this.#g}}#y(){this.#d.abort(),this.#u?.close(),this.#n?.destroy(),this.#u=this.#n=null,this.#p=[],this.#o.replaceChildren(),this.#i.replaceChildren(),this.#m&&this.#h?.close(),this.#h=null,this.#x=!1,this.#t.hidden=!0}get#b(){return this.getAttribute("mode")==="both"||!(this.hasAttribute("channel")||this.hasAttribute("user"))}async#M(){let t=this.#h,e=this.#s;if(y(this.#a,{lang:e.lang,dir:e.dir}),this.#r.element.remove(),this.#l.element.remove(),this.#r=new S({closeLabel:e("close"),live:this.#l}),this.#a.append(this.#r.element,this.#l.element),this.#n?.destroy(),this.#n=null,this.#o.hidden=!this.#b,this.#e.classList.toggle("has-list",this.#b),this.#o.replaceChildren(),!this.#b)return;let{signal:i}=this.#d,{ChannelListView:s}=await import("./chunks/list-view-73WQUIR6.js");i.aborted||this.#n||e!==this.#s||!this.#b||(this.#n=new s(t,e,{onSelect:o=>this.open(o),onFailure:this.#A,isDev:Boolean(this.#T().guest)}),this.#o.append(this.#n.element))}async#j(){let{signal:t}=this.#d;!this.#h||t.aborted||(this.#s=await _(this.getAttribute("lang")||null),!t.aborted&&(await this.#M(),!t.aborted&&(this.#k(),this.#D())))}async#C(){let t=this.#h;if(!t||(Boolean(this.#n)!==this.#b&&await this.#M(),this.#h!==t))return;let e=this.getAttribute("channel"),i=this.getAttribute("user");if(this.#w="",!e&&i)try{e=await t.startConversation(i)}catch(s){this.#w=w(s,this.#s),this.#n&&this.#A(s)}this.#h===t&&(this.#p=e?[e]:[],this.#k())}#k(){let t=this.#h,e=this.#p.at(-1)??null,i=this.#u?.element.contains(this.shadowRoot?.activeElement??null);if(this.#u?.close(),this.#u=null,this.#n?.select(e),this.#e.classList.toggle("is-open",e!==null),this.#i.replaceChildren(),e){let s=this.#p.length>1,o=new $(t,t.conversation(e),this.#s,{onBack:s||this.#n?()=>this.#E():void 0,onDetails:()=>this.#L(e),onOpen:n=>this.#S(n),live:this.#l,toasts:this.#r});o.element.classList.toggle("is-over",s),this.#n||y(o.element,{role:"group"}),this.#u=o,this.#i.append(o.element),o.open().catch(this.#A),(i||this.#n&&matchMedia("(hover: hover)").matches)&&o.focus()}else{let s=this.#s;this.#i.append(h("div",{class:"placeholder"},h("slot",{name:"empty"},this.#n||!this.#w?[g("conversation"),h("h2",null,s("conversation.none")),h("p",null,s("conversation.noneHint"))]:[g("warning"),h("p",{role:"alert"},this.#w)]))),i&&this.#n?.focus()}this.#c("open",{channel:e})}#S(t){if(this.#n)return this.open(t);this.#p.push(t),this.#k()}#E(){let t=this.#p.pop();this.#n&&(this.#p=[]),this.#k(),this.#c("close",{channel:t}),this.#n?this.#n.focus():this.#u?.focus()}#A=t=>void this.#r.show(w(t,this.#s),{isFailure:!0});#L=J(async t=>{let e=this.#h,{openDetails:i}=await import("./chunks/details-view-A4DUHZVO.js");i({client:e,conversation:e.conversation(t),t:this.#s,root:this.#a,fail:this.#A,toasts:this.#r,start:J(async o=>this.#S(await e.startConversation(o)),this.#A),open:o=>this.#S(o),leave:this.#n?()=>this.open(null):void 0}).closed.then(()=>{document.activeElement===document.body&&this.focus()})},this.#A);#D(){let t=this.#s,{state:e,error:i}=this.#h??{state:"closed",error:null},s={connecting:this.#x?t("connection.connecting"):"",offline:t("connection.offline"),refused:this.#z?"":w(i,t)}[e]??"",o=this.#t.querySelector("span")?.textContent??"";if(o===s&&this.#t.hidden===!s)return;this.#t.hidden=!s;let n=this.#t.querySelector("span");n&&e==="offline"&&this.#t.querySelector("button")?b(n,s):v(this.#t,s&&[g(e==="refused"?"warning":"offline"),h("span",null,s),e==="offline"&&h("button",{type:"button",onclick:this.#q},t("connection.now"))]),!(!o&&!s)&&(e==="refused"?this.#l.failure(s):this.#l.note(s||t("connection.back")))}#q=()=>{b(this.#t.querySelector("span"),this.#s("connection.connecting")),this.#h?.wake()};#I(t){let e=window.visualViewport;e&&p(e,"resize scroll",()=>{let i=this.matches(":focus-within")?Math.max(0,this.getBoundingClientRect().bottom-e.height-e.offsetTop):0,s=e.scale===1&&innerHeight-e.height>120;this.#a.style.setProperty("--roost-keyboard",`${s?i:0}px`)},t)}async#R(t){let e=this.#h;import("./chunks/dialog-notes-CWQIELVM.js").then(({watchDialogs:s})=>s({client:e,root:this.#a,signal:t,t:()=>this.#s}),()=>{});let{watchKeys:i}=await import("./chunks/keys-RTURHONJ.js");i({target:this.getAttribute("keys")==="page"?document:this.#a,root:this.#a,signal:t,list:()=>this.#n,view:()=>this.#u,t:()=>this.#s,fail:this.#A,showList:()=>{this.#e.classList.contains("is-open")&&!this.#n?.element.offsetParent&&this.open(null)}})}};var Q=globalThis.customElements;Q&&!Q.get("roost-chat")&&Q.define("roost-chat",G);export{G as RoostChatElement,Y as connect};
