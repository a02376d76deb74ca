import{a as rt}from"./chunks/chunk-X32LRPIH.js";import{a as lt,b as ct,c as dt,d as pt}from"./chunks/chunk-465EFDJM.js";import{b as at,e as ht}from"./chunks/chunk-SC5CBILM.js";import{a as nt}from"./chunks/chunk-LYUKWSC3.js";import{d as ut,e as ft,f as mt,i as gt,m as xt,n as bt,o as j,p as wt,q as I,r as vt,s as yt,t as kt}from"./chunks/chunk-735FOGF5.js";import{a as J,b as Z,g as G,h as y}from"./chunks/chunk-DVZEWAPL.js";import{a as ot}from"./chunks/chunk-FFKMZ6CZ.js";import{b as g}from"./chunks/chunk-5X4B7PGS.js";import{b as Q,c as $}from"./chunks/chunk-RYQCDNDK.js";import"./chunks/chunk-753IU5OZ.js";import{e as _}from"./chunks/chunk-K7IFF2DM.js";import"./chunks/chunk-W2KRPO77.js";import"./chunks/chunk-G2PI7OJO.js";import"./chunks/chunk-IT6RDTDM.js";import{a as C,c as st}from"./chunks/chunk-EMUUJ3G7.js";import{a as h,b as v,c as k,d as w,e as tt,f as d,g as et,h as it,i as V,j as T}from"./chunks/chunk-B5FSEVQL.js";import"./chunks/chunk-MRYQ45LQ.js";var A=class{constructor({summary:t,burst:e=2,wait:s=800}){this.#e=t,this.#n=e,this.#i=s,this.#t=h("div",{"aria-live":"polite","aria-atomic":"true"}),this.#h=h("div",{role:"alert","aria-atomic":"true"}),this.element=h("div",{class:"visually-hidden"},this.#t,this.#h)}#e;#n;#i;#t;#h;#s=[];#l="";#a="";#r=0;#p=null;#f=-1/0;message(t){this.#s.push(t),this.#a="",this.#o()}note(t){this.#l=t,this.#o()}typing(t){let e=performance.now();t||(this.#a=""),!(!t||e-this.#f<1e4||this.#s.length)&&(this.#f=e,this.#a=t,this.#o())}failure(t){this.#d(),this.#h.textContent="",this.#h.textContent=t}clear(){clearTimeout(this.#r),this.#r=0,this.#s=[],this.#l=this.#a=""}#d(){let{element:t}=this,e=this.#p??=t.parentNode;if(!e)return;let i=[...e.getRootNode().querySelectorAll?.("dialog:modal")??[]].at(-1),o=i??e;t.parentNode!==o&&(this.#t.textContent=this.#h.textContent="",o.append(t),i&&d(i,"close",()=>this.#d(),void 0,{once:!0}))}#o(){this.#d(),this.#r||=setTimeout(()=>{let t=this.#s,s=[...t.length>this.#n?[this.#e(t.length)]:t,this.#l,this.#a].filter(Boolean);s.length&&(this.#t.textContent=s.join(". ")),this.clear()},this.#i)}};var Tt=C(`${st}
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
`);var[Bt,Ft]=[6e3,2e4],S=class{constructor({closeLabel:t,live:e,field:s}){this.#e=t,this.#n=e,this.#i=s??(()=>this.#t?.querySelector(".composer")),this.element=h("div",{class:"toasts"})}#e;#n;#i;#t=null;#h=new ResizeObserver(()=>this.#s());show(t,{isFailure:e=!1,action:s}={}){for(let a of this.element.children)a.firstChild?.textContent===t&&a.remove();let i=0,o=()=>{clearTimeout(i),r.remove(),this.element.firstChild||this.#h.disconnect()},n=()=>{clearTimeout(i),(!e||!s)&&(i=setTimeout(o,e?Ft:Bt))},r=h("div",{class:"toast",part:"toast",dir:"auto"},h("span",null,t),s&&h("button",{type:"button",class:"button",onclick:()=>{o(),s.run()}},s.label),h("button",{type:"button",class:"icon-button","aria-label":this.#e,onclick:o},g("close")));for(d(r,"pointerenter focusin",()=>clearTimeout(i)),d(r,"pointerleave focusout",n),this.element.append(r);this.element.children.length>3;)this.element.firstChild?.remove();return n(),this.#s(),e?this.#n?.failure(t):this.#n?.note(t),o}#s(){let{element:t}=this,e=this.#t??=t.parentNode;if(!e||!t.firstChild)return;let i=[...e.getRootNode().querySelectorAll("dialog:modal:not(.menu)")].at(-1),o=i??e;t.parentNode!==o&&(o.append(t),i&&d(i,"close",()=>this.#s(),void 0,{once:!0}));let n=i?i.querySelector("footer:not([hidden])"):this.#i(),r=n?.getBoundingClientRect(),a=t.offsetParent?.getBoundingClientRect().bottom??innerHeight;t.style.setProperty("bottom",`${r?.height?a-r.top+8:16}px`),n&&this.#h.observe(n)}};var Ct=C(`
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
`);var St=C(`
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
  .message-row:hover > .tools { display: none; }
}
@media (pointer: coarse) { .reaction, .text-button { min-height: 44px; } .reaction { border-radius: 22px; } }
@media (forced-colors: active) {
  .bubble, .day, .jump, .reaction { border: 1px solid CanvasText; }
  .reaction[aria-pressed="true"] { border: 2px solid Highlight; }
  .mention.is-me { outline: 1px solid Highlight; }
}
`);var Pt=typeof MediaRecorder<"u"&&Boolean(navigator.mediaDevices),Kt=200,E=class{constructor(t,{onsend:e,onleave:s}){let{t:i,signal:o}=t;this.#e=t,this.#n=e,this.#i=s,this.field=h("textarea",{class:"field-text",rows:"1",part:"field","aria-label":i("composer.label"),enterkeyhint:"send",autocapitalize:"sentences",autocomplete:"off"}),this.#t=h("div",{class:"grow-field"},this.field),this.#h=h("span",{class:"counter",hidden:!0}),this.#s=this.#M("composer.more","add",()=>this.#F()),this.#l=this.#M("composer.emoji","emoji",()=>this.#P()),this.#l.classList.add("emoji-button"),this.#a=this.#M("composer.send","send",()=>this.send()),this.#a.classList.add("primary"),this.#r=this.#M("composer.record","microphone",()=>this.#K()),this.#p=h("div",{class:"replying",hidden:!0}),this.#f=h("div",{class:"scheduled",hidden:!0}),this.#w=h("div",{class:"line"},this.#s,this.#t,this.#l,this.#r,this.#a),this.#y=h("div",{class:"line recording",hidden:!0}),this.#x=h("p",{class:"note",hidden:!0}),this.#j=h("div",{class:"bar"},this.#f,this.#p,this.#w,this.#y,this.#h),this.element=h("div",{class:"composer",part:"composer"},this.#j,this.#x),d(this.field,"input",()=>this.#L(),o),d(this.field,"keydown",f=>this.#E(f),o),d(this.field,"paste",f=>this.#B(f),o),d(this.field,"select click keyup",()=>this.#d?.update(this.#c,this.#m),o),d(this.field,"blur",()=>this.#d?.close(),o),d(o,"abort",()=>{this.#O(),this.#o?.end()}),this.update();let{text:n,mentions:r,replyTo:a,files:l}=t.conversation.draft;this.#m=r,this.#u=l,this.#R(a),this.#q(n),l.length&&this.#k()}#e;#n;#i;#t;#h;#s;#l;#a;#r;#p;#f;#d=null;#o=null;#u=[];#g=[];#w;#y;#x;#j;#c="";#m=[];#T=null;#b=null;#v={};focus(){this.#j.hidden||this.field.focus({preventScroll:!0})}update(){let{conversation:t,client:e,t:s}=this.#e,{isGone:i,channel:o,schedules:n,canWrite:r,blockedPeer:a}=t;if(this.#v.canWrite!==r||this.#v.isGone!==i){let l=this.element.contains(T()),f=r?"":a?s("conversation.blocked",{name:a.name}):this.#A();this.#j.hidden=!r,this.#x.hidden=!f,k(this.#x,f,a&&[" ",h("button",{type:"button",class:"fold",onclick:()=>e.perform("user.unblock",{userID:a.userID}).catch(this.#e.fail)},s("user.unblock",{name:a.name}))]),l&&!r&&this.#i()}this.#v.name!==o?.name&&(this.field.placeholder=o?.kind==="single"?s("composer.placeholderTo",{name:o.name}):s("composer.placeholder")),this.#v.schedules!==n&&(n.length||this.#v.schedules?.length)&&yt(this.#e,this.#f),this.#v={canWrite:r,isGone:i,name:o?.name,schedules:n}}#A(){let{conversation:t,client:e,t:s}=this.#e,{isGone:i,isBanned:o,ending:n,error:r,items:a}=t;return o?s("conversation.banned"):i?r&&!a.length?"":n&&J(n,s,e.user.userID)||s("conversation.left"):s("conversation.news")}reply(t){this.#R(t),this.#C(),this.focus()}#R(t){let{t:e,client:s}=this.#e;this.#T=t,this.#p.hidden=!t,k(this.#p,t&&[ht(this.#e,t,t.senderID===s.user.userID),this.#M("reply.cancel","close",()=>this.reply(null))]),v(this.#p,{role:"group","aria-label":t&&e("reply.to",{name:t.senderName??""})})}#C(){let t=[...this.#o?.files??this.#u,...this.#g];this.#e.conversation.setDraft({text:this.#c,mentions:this.#m,replyTo:this.#T,files:t})}async send(){let{conversation:t}=this.#e;if(this.#c.includes("@")&&!this.#d&&await this.#D().catch(()=>{}),this.#u.length&&!await this.#k())return;let e=this.#c,s=this.#T??void 0,i=/\S/.test(e);if(!t.canWrite||this.#z<0||!(i||this.#S))return;let o=i?this.#d?.written(e,this.#m)??this.#m:[];this.#S?this.#o?.send({text:i?e:"",mentions:o,replyTo:s}):t.send({text:e,mentions:o,replyTo:s}),this.#m=[],this.#q(""),this.#L(),this.reply(null),this.#n()}async addFiles(t){(await this.#k())?.add(t)}async#k(){try{let{Attachments:t}=await ut();this.#o||(this.#o=new t(this.#e,()=>{this.#I(),this.#C()}),this.#w.before(this.#o.element),this.#o.restore(this.#u),this.#u=[])}catch(t){this.#e.fail(t)}return this.#o}get#S(){return this.#o?.count??this.#u.length}async#D(){if(!(!this.#d&&!/[@:]/.test(this.#c))){if(!this.#d){let{MentionPopup:t}=await gt();this.#d??=new t(this.#e,this.field,e=>{this.#m=e.mentions,this.#q(e.text,e.cursor),this.#L()}),this.#j.prepend(this.#d.element)}this.#d.update(this.#c,this.#m)}}get#z(){return(this.#e.client.limits?.textLength??8e3)-this.#c.length}#M(t,e,s){let i=this.#e.t(t);return h("button",{type:"button",class:"icon-button","aria-label":i,title:i,onclick:s,onpointerdown:o=>o.preventDefault()},g(e))}#q(t,e=t.length){this.field.value=t,this.field.setSelectionRange(e,e),this.#c=t,this.#I()}#L(){let{conversation:t}=this.#e,e=this.field.value;this.#m=rt(this.#m,this.#c,e),this.#c=e,this.#C(),e?t.userIsTyping():t.userStoppedTyping(),this.#I(),this.#D().catch(()=>{})}#I(){let{t}=this.#e;this.#t.dataset.text=this.#c,this.field.dir=this.#c?"auto":t.dir;let e=this.#z,s=/\S/.test(this.#c)||this.#S>0;this.#a.disabled=!s||e<0,this.#r.hidden=s||!Pt,this.#a.hidden=!this.#r.hidden;let i=e<=Kt;this.#h.hidden=!i,i&&(w(this.#h,e<0?t("composer.tooLong",{count:-e}):t("composer.charactersLeft",{count:e})),this.#h.classList.toggle("is-near",e<=10),v(this.field,{"aria-invalid":e<0?"true":null}))}#E(t){t.isComposing||t.keyCode===229||(this.#d?.keyPressed(t)?(t.preventDefault(),t.stopPropagation()):t.key==="Enter"&&!t.shiftKey&&!t.altKey&&!t.ctrlKey&&!t.metaKey?(t.preventDefault(),this.send()):t.key==="Escape"&&this.#T?(t.preventDefault(),t.stopPropagation(),this.reply(null)):t.key==="ArrowUp"&&!this.#c&&!t.shiftKey&&(t.preventDefault(),this.#i()))}#B(t){let e=[...t.clipboardData?.files??[]];!e.length||t.clipboardData?.types.includes("text/plain")||(t.preventDefault(),this.addFiles(e))}#F(){vt(this.#e,{anchor:this.#s,returnTo:this.field,text:this.#z<0||this.#S?"":this.#c,mentions:()=>this.#d?.written(this.#c,this.#m)??this.#m,pick:async t=>(await this.#k())?.pick(t),onsend:this.#n,onscheduled:()=>{this.#m=[],this.#q(""),this.#L()}})}#P(){let{selectionStart:t,selectionEnd:e}=this.field;I(this.#e,{anchor:this.#l,returnTo:this.field,onpick:s=>{this.field.setRangeText(s,t,e,"end"),this.#L()}})}#K(){this.#b??=new AbortController,kt(this.#e,{bar:this.#y,line:this.#w,signal:this.#b.signal,onpart:t=>{this.#g=t,this.#C()},onend:t=>{if(this.#b=null,this.focus(),!t)return;let{file:e,...s}=t;this.#e.conversation.sendFile(e,{...s,replyTo:this.#T??void 0}),this.reply(null),this.#n()}})}#O(){this.#b?.abort(),this.#b=null}};var Ot=500,jt=5e3,zt=-jt,B=class{constructor(t,e){this.#e=t,this.#n=e;let s=new IntersectionObserver(o=>{this.#i=o[o.length-1].isIntersecting,this.check()});s.observe(e.element),d(window,"focus keydown pointerdown wheel",o=>{o.type!=="focus"&&(zt=performance.now()),this.check()},t.signal,{capture:!0,passive:!0}),d(t.signal,"abort",()=>{s.disconnect(),clearTimeout(this.#t),t.client.attend(t.conversation.id,!1)})}#e;#n;#i=!1;#t=0;check(){let{client:t,conversation:e}=this.#e;if(t.attend(e.id,this.#h),this.#t)return;let s=this.#s;s&&(this.#t=setTimeout(()=>{this.#t=0;let i=this.#s;i&&e.markRead(s),(i>s||!i)&&this.check()},Ot))}get#h(){let{conversation:t,client:e}=this.#e,s=this.#n.items.at(-1),i=document.visibilityState==="visible"&&(document.hasFocus()||performance.now()-zt<jt);return Boolean(i&&this.#i&&e.state==="live"&&t.hasLoaded&&!t.hasAfter&&!t.isGone&&s&&this.#n.isFollowing&&this.#n.row(s.key))}get#s(){let{channel:t,timeline:e}=this.#e.conversation,{readSeq:s=0,isMarkedUnread:i,kind:o}=t??{},n=Math.min(t?.seq??0,e.to);return(n>s||i)&&o!=="open"&&this.#h?n:0}};var F=new WeakMap,P=class{constructor(t,e){this.#e=t,this.#n=e}#e;#n;#i=null;get kept(){return F.get(this.#e)}resume({offset:t,seen:e},s){this.#i=e,this.#n.goTo(s,t)}keep(){let{place:t}=this.#n;this.#i&&(t?F.set(this.#e,{...t,seen:this.#i}):F.delete(this.#e))}forget(){F.delete(this.#e)}see(){let{channel:t,timeline:e}=this.#e;if(!t)return;let{separator:s}=e;if(this.#i??=s===null?{seq:t.seq,count:t.count}:{seq:s,count:t.count-(t.unread??0)},document.visibilityState!=="visible")return;let{items:i,isFollowing:o,visible:n}=this.#n,r=o?i.length-1:i.lastIndexOf(n[1]);for(;r>=0;r-=1){let a=i[r],{seq:l=0,count:f=this.#i.count}=a.kind==="message"?(a.parts?.at(-1)??a).message:{};if(l){l>this.#i.seq&&(this.#i={seq:l,count:f});return}}}get newCount(){let{items:t,hasAfter:e,channel:s}=this.#e,i=this.#i;if(!i||!s)return 0;if(e)return Math.max(0,s.count-i.count);let o=0;for(let n=t.length-1;n>=0;n-=1){let r=t[n];if(r.kind==="message"){if((r.message.seq??1/0)<=i.seq)break;!r.isOwn&&!r.message.recall&&(o+=1)}}return o}};var Ht=450,Nt=8;function At(p,t){let{t:e,signal:s,conversation:i}=p,{rows:o}=t,n=c=>c.closest("a, button, input, label, video, .media, .avatar-column"),r=c=>{let u=t.itemAt(c);return u?.kind!=="message"?null:p.extras?.partAt(c,u)??u},a=c=>c.closest("[data-key]"),l=0,[f,x]=[0,0],b=!1,z=!1;d(o,"pointerdown",c=>{[f,x,b,z]=[c.clientX,c.clientY,!1,!1],clearTimeout(l);let u=r(c.target);c.pointerType==="mouse"||!u||c.target.closest("input, .progress")||(l=setTimeout(()=>{z=!0,et(),j(p,u,{point:{x:f,y:x},returnTo:a(c.target)})},Ht))},s),d(o,"pointermove",c=>{Math.hypot(c.clientX-f,c.clientY-x)<Nt||(b=!0,clearTimeout(l))},s,{passive:!0}),d(o,"pointerup pointercancel pointerleave",()=>clearTimeout(l),s),d(o,"click",c=>{let u=r(c.target);if(!u)return;let m=c.target.closest("[data-more]");m?j(p,u,{anchor:m,returnTo:c.detail?a(m):m}):i.channel?.kind==="open"&&!b&&!n(c.target)&&ct(u)&&wt(p,u.message)},s),d(o,"contextmenu",c=>{let u=r(c.target),m=getSelection(),R=m&&!m.isCollapsed&&c.button===2;if(!u||R||c.target.closest("a, video")||(c.preventDefault(),clearTimeout(l),z))return;let M=a(c.target),Et=c.button!==2&&c.pointerType!=="touch"?{anchor:M.querySelector(".bubble")}:{point:{x:c.clientX,y:c.clientY}};j(p,u,{...Et,returnTo:M})},s),d(o,"keydown",c=>{if(!(c.ctrlKey||c.metaKey||c.altKey)){if(c.key==="Escape")p.focusComposer();else if(c.key==="r"&&c.target===a(c.target)){let u=r(c.target);if(!u?.message.messageID||u.message.recall||!i.canWrite)return;c.preventDefault(),p.reply(u.message)}}},s);let L=(c,u,m)=>h("button",{type:"button",class:"icon-button",tabindex:"-1","aria-label":e(c),title:e(c),onclick:R=>{let M=r(R.target);M&&m(M,R.currentTarget)}},g(u)),U=h("span",{class:"tools"},L("message.react","emoji",({message:c},u)=>I(p,{anchor:u,returnTo:a(u),onpick:m=>i.react(c.messageID??"",m).catch(p.fail)})),L("message.reply","reply",({message:c})=>p.reply(c)));d(o,"pointerover",c=>{if(c.pointerType!=="mouse"||!i.canWrite)return;let u=a(c.target);if(!u||U.parentElement===u)return;let m=r(u);m?.message.messageID&&!m.message.recall?u.append(U):U.remove()},s,{passive:!0})}var K=class{#e=[];#n=[0];get count(){return this.#e.length}get total(){return this.top(this.count)}at(t){return this.#e[t]}splice(t,e,s){let i=t===this.count&&!e;if(this.#e.splice(t,e,...s),i)for(let o=t;o<this.count;o+=1)this.#i(o);else this.#t()}set(t,e){let s=e-this.#e[t];if(!s)return 0;this.#e[t]=e;for(let i=t+1;i<=this.count;i+=i&-i)this.#n[i]+=s;return s}top(t){let e=0;for(let s=t;s>0;s-=s&-s)e+=this.#n[s];return e}find(t){let e=0,s=t,i=1;for(;i*2<=this.count;)i*=2;for(;i;i=Math.floor(i/2))e+i<=this.count&&this.#n[e+i]<=s&&(e+=i,s-=this.#n[e]);return Math.max(0,Math.min(e,this.count-1))}#i(t){let e=t+1,s=this.#e[t];for(let i=e-1,o=e-(e&-e);i>o;i-=i&-i)s+=this.#n[i];this.#n[e]=s}#t(){this.#n.length=1;for(let t=0;t<this.count;t+=1)this.#i(t)}};function Mt(p,t){let e=Math.min(p.length,t.length),s=(n,r)=>n===r||n.key===r.key,i=0;for(;i<e&&s(p[i],t[i]);)i+=1;let o=0;for(;o<e-i&&s(p[p.length-1-o],t[t.length-1-o]);)o+=1;return{index:i,removed:p.length-i-o,inserted:t.length-i-o}}function X(p,{top:t,height:e,margin:s,most:i}){if(!p.count)return{start:0,end:0};let o=p.find(t-s),n=p.find(t+e+s)+1;if(n-o>i){let r=p.find(t+e/2);o=Math.max(o,r-Math.floor(i/2)),n=Math.min(n,o+i)}return{start:o,end:n}}function qt({top:p,height:t,total:e}){return e-p-t<=80}var Dt=600,Lt=240,q=12,H=class{constructor(t){this.#e=t,this.rows=h("div",{class:"rows",role:"list","aria-label":t.label,part:"timeline"}),this.element=h("div",{class:"scroller",tabindex:"-1"},this.rows);let{signal:e}=t;d(this.element,"scroll",()=>this.#R(),e,{passive:!0}),d(this.rows,"keydown",i=>this.#D(i),e),d(this.rows,"focusin",i=>this.#k(this.#y(i.target)),e);let s=new ResizeObserver(i=>this.#A(i));s.observe(this.element),this.#n=s,d(e,"abort",()=>s.disconnect())}#e;#n;#i=new K;#t=[];#h=0;#s=0;#l=new Map;#a=0;#r={index:0,offset:0};#p=!0;#f=!0;#d=!1;#o="";#u=!1;#g=!1;#w=!1;get items(){return this.#t}get visible(){let t=this.#x();return[t,t+this.#a-q].map(e=>this.#t[this.#i.find(e)])}get place(){let{index:t,offset:e}=this.#r;for(let s=t;!this.#f&&s<this.#t.length;s+=1){let i=this.#t[s],o=i.kind==="message"&&i.message.messageID;if(o)return{messageID:o,offset:e+this.#i.top(s)-this.#i.top(t)}}return null}get isFollowing(){return this.#f}get above(){return this.#x()}get below(){return Math.max(0,this.#i.total+q-this.#x()-this.#a)}setItems(t,e){let s=this.#t;if(e&&!this.#d&&this.#C(this.#x()),this.#d=e,e&&(this.#f=this.#p=!1),t===s)return;let{index:i,removed:o,inserted:n}=Mt(s,t);if(o||n){let r=new Map;for(let l=i;l<i+o;l+=1)r.set(s[l].key,this.#i.at(l));let a=t.slice(i,i+n).map(l=>r.get(l.key)??this.#e.estimate(l));this.#i.splice(i,o,a),this.#j(s,t,{index:i,removed:o,inserted:n}),this.#f&&i+n===t.length&&(this.#p=!0)}if(this.#t=t,!this.#u||!t.some(r=>r.key===this.#o)){this.#u=!1;for(let r=t.length-1;r>=0;r-=1)if(D(t[r])){this.#o=t[r].key;break}}this.#c(!0)}goToEnd(){this.#f=this.#p=!0,this.#c(),this.#e.onposition()}goTo(t,e){if(!this.#t[t])return null;this.#f=this.#p=!1,this.#a||=this.element.clientHeight;let s=typeof e=="number"?e:e==="top"?Math.min(96,this.#a/5):Math.max(24,(this.#a-this.#i.at(t))/2);return this.#r={index:t,offset:s},this.#c(),this.#C(this.#x()),this.#e.onposition(),this.row(this.#t[t].key)}row(t){for(let e of this.rows.children)if(this.#y(e)===t)return e;return null}itemAt(t){let e=t.closest("[data-key]"),s=e?this.#l.get(e):void 0;return s===void 0?null:this.#t[s]}refresh(){for(let[t,e]of this.#l){let s=this.#t[e];this.#T(t,s,s)}this.#v([...this.#l.keys()]),this.#c()}drawWhole(t){this.#w=t,this.#c(!0)}focus(){let t=this.#t.findIndex(e=>e.key===this.#o);t>=0?this.#S(t):this.element.focus({preventScroll:!0})}#y(t){return t.closest?.("[data-key]")?.dataset.key??""}#x(){let t=Math.max(0,this.#i.total+q-this.#a);return this.#p?t:Math.max(0,Math.min(t,this.#i.top(this.#r.index)-this.#r.offset))}#j(t,e,{index:s,removed:i,inserted:o}){let{index:n}=this.#r;if(n<s)return;if(n>=s+i){this.#r.index=n+o-i;return}let r=new Map;for(let a=s;a<s+o;a+=1)r.set(e[a].key,a);for(let a=n;a<s+i;a+=1){let l=r.get(t[a].key);if(l!==void 0){this.#r.index=l;return}}this.#r.index=Math.max(0,Math.min(s+o,e.length-1))}#c(t=!1){let e=t;this.#a||=this.element.clientHeight;for(let i=0;i<4;i+=1){let n={top:this.#x(),height:this.#a,margin:Dt,most:Lt},{start:r,end:a}=this.#w?{start:0,end:this.#i.count}:X(this.#i,n);if(!e&&r===this.#h&&a===this.#s)break;e=!1,this.#m(r,a)}this.#g=!0;let s=this.#x();Math.abs(this.element.scrollTop-s)>.4&&(this.element.scrollTop=s)}#m(t,e){let s=T(),i=s&&this.rows.contains(s)?this.#y(s):"",o=this.#t.slice(t,e);i&&!o.some(l=>l.key===i)&&this.element.focus({preventScroll:!0});let n=[];tt(this.rows,o,l=>l.key,l=>{let f=this.#e.makeRow(l);return f.dataset.key=l.key,this.#n.observe(f),n.push(f),O(f,l.key===this.#o),f},(l,f,x)=>{this.#T(l,f,x),n.push(l)});let r=this.#l;this.#l=new Map;let a=t;for(let l of this.rows.children)this.#l.set(l,a),r.delete(l),a+=1;for(let l of r.keys())this.#n.unobserve(l);this.#h=t,this.#s=e,this.#v(n),this.#b()}#T(t,e,s){let i=t.contains(T());this.#e.updateRow(t,e,s),O(t,e.key===this.#o),i&&!t.contains(T())&&t.focus({preventScroll:!0})}#b(){let{style:t}=this.rows;t.paddingTop=`${this.#i.top(this.#h)}px`,t.paddingBottom=`${this.#i.total-this.#i.top(this.#s)+q}px`}#v(t){let e=t.map(s=>s.getBoundingClientRect().height);t.forEach((s,i)=>{let o=this.#l.get(s);o!==void 0&&e[i]&&this.#i.set(o,e[i])})}#A(t){if(this.#w)return;let e=!1;for(let{target:s,borderBoxSize:i}of t){let o=i[0].blockSize,n=this.#l.get(s);s===this.element?(e||=Math.abs(this.#a-o)>.1,this.#a=o):n!==void 0&&o&&Math.abs(this.#i.at(n)-o)>.1&&(this.#i.set(n,o),e=!0)}e&&(this.#b(),this.#c(),this.#e.onposition())}#R(){if(this.#a||=this.element.clientHeight,!this.#a||this.#w)return;let{scrollTop:t}=this.element;if(!this.#g||Math.abs(t-this.#x())>1){this.#C(Math.max(0,t));let{start:e,end:s}=X(this.#i,{top:t,height:this.#a,margin:Dt/2,most:Lt});(e<this.#h||s>this.#s)&&this.#c()}this.#g=!1,this.#e.onposition()}#C(t){let e={top:t,height:this.#a,total:this.#i.total+q};this.#f=!this.#d&&qt(e),this.#p=this.#f&&e.total-t-e.height<2;let{count:s}=this.#i,i=this.#i.find(t),o=this.#t.findIndex(D),n=i,r=()=>D(this.#t[n])&&n!==o&&this.#i.top(n)>=t;for(;n<s&&!r();)n+=1;if(n===s||this.#i.top(n)>=t+this.#a)for(n=i;n<s-1&&!D(this.#t[n]);)n+=1;this.#r={index:n,offset:this.#i.top(n)-t}}#k(t){if(!t||t===this.#o)return;let e=this.row(this.#o);e&&O(e,!1),this.#o=t,this.#u=!0;let s=this.row(t);s&&O(s,!0)}#S(t){let e=this.#t[t].key,s=this.row(e)??this.goTo(t,"center");s&&(this.#k(e),s.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"}))}#D(t){let e=t.target;if(t.altKey||t.ctrlKey||t.metaKey||e.matches("input, textarea"))return;let s=e.closest("[data-key]"),i=this.#l.get(s);if(i===void 0)return;let{key:o}=t;if(e===s&&(o==="Enter"||o===" ")){t.preventDefault(),this.#e.onopen(s,this.#t[i]);return}let n=this.#t.length-1,r=o==="ArrowUp"||o==="End"?-1:1,a={ArrowUp:i-1,ArrowDown:i+1,Home:0,End:n}[o];if(a!==void 0){for(t.preventDefault();this.#t[a]&&!D(this.#t[a]);)a+=r;this.#t[a]&&this.#S(a)}}},D=p=>p.kind==="message"||p.kind==="line";function O(p,t){p.hasAttribute("tabindex")&&(p.tabIndex=t?0:-1);for(let e of p.querySelectorAll("a, button, input, audio, video"))e.tabIndex=t?0:-1}var Rt=1600,Wt=5,Ut=240,N=class{constructor(t,e,s,i={}){let{signal:o}=this.#e;this.#n=i.live??new A({summary:n=>s("announce.messages",{count:n})}),this.#i=i.toasts??new S({closeLabel:s("close"),live:this.#n}),this.element=h("div",{class:"conversation",part:"conversation",lang:s.lang,dir:s.dir,role:"region","aria-labelledby":"conversation-title"}),this.#t={client:t,conversation:e,t:s,times:ot(s,i.timeZone),signal:o,root:this.element,toasts:this.#i,live:this.#n,fail:n=>void this.#i.show(y(n,s),{isFailure:!0}),start:n=>this.#E(n),jump:n=>this.#I(n),reply:n=>this.composer.reply(n),focusComposer:()=>this.composer.focus()},this.#h=i,this.#s=new H({label:s("conversation.messages"),makeRow:n=>{let r=dt(this.#t,n);return this.#t.extras?.mark(r,n),r},updateRow:(n,r,a)=>{pt(this.#t,n,r,a),this.#t.extras?.mark(n,r)},estimate:lt,onposition:()=>this.#M(),onopen:(n,r)=>r.kind==="message"&&j(this.#t,r,{anchor:n.querySelector(".bubble"),returnTo:n}),signal:o}),this.composer=new E(this.#t,{onsend:()=>this.#L(),onleave:()=>this.#s.focus()}),this.#l=new P(e,this.#s),this.#a=new B(this.#t,this.#s),this.#j(),At(this.#t,this.#s),this.#c()}#e=new AbortController;#n;#i;#t;#h;#s;#l;#a;#r={};#p=!1;#f=!1;#d=!0;#o=!1;#u="";#g=new Set;#w="";#y=0;#x="";async open(){let{conversation:t,signal:e}=this.#t,s=t.open();this.#b(),bt(),await s;let i=()=>this.#d&&!e.aborted;if(i()){let{kept:o}=this.#l;if(o)await t.loadAround(o.messageID,i).catch(()=>{});else for(let n=0;n<Wt&&i()&&this.#C;n+=1)await t.loadBefore()}this.#d=!1,e.aborted||this.#b()}close(){let{signal:t}=this.#e;t.aborted||(this.#p&&this.#l.keep(),this.#t.conversation.close(),clearTimeout(this.#y),this.#e.abort(),this.#n.clear(),xt(),this.element.remove())}focus(){this.#t.conversation.canWrite?this.composer.focus():this.#s.focus()}#j(){let{t}=this.#t,{onBack:e,onDetails:s}=this.#h,i=this.#r,o=(f,x,b)=>h("button",{type:"button",class:"icon-button","aria-label":t(f),title:t(f),onclick:b},g(x));i.avatar=h("span",{class:"header-avatar"}),i.title=h("bdi",null),i.status=h("p",{class:"hint ellipsis"}),i.back=e&&o("back","back",e),i.back?.classList.add("back"),i.details=s&&o("details","more",s);let n=h("div",{class:"about",onclick:s},i.avatar,h("div",{class:"titles"},h("h2",{class:"ellipsis",id:"conversation-title"},i.title),i.status));n.classList.toggle("opens",Boolean(s));let r=h("header",{class:"conversation-header",part:"header"},i.back,n,h("slot",{name:"header"}),i.details);i.loading=h("div",{class:"page-loading",hidden:!0},h("span",{class:"spinner"}),h("span",{class:"visually-hidden"},t("conversation.loadingOlder"))),i.empty=h("div",{class:"empty",hidden:!0}),i.jumpCount=h("span",{class:"jump-text"}),i.jump=h("button",{type:"button",class:"jump",part:"jump",hidden:!0,onclick:()=>this.#L(!0)},i.jumpCount,g("arrow-down")),i.typing=h("p",{class:"typing ellipsis","aria-hidden":"true"}),i.drop=h("div",{class:"drop",hidden:!0},g("attach"),t("composer.drop")),this.element.append(r,h("div",{class:"timeline"},this.#s.element,i.empty,i.loading,i.jump),i.typing,this.composer.element,i.drop);let{live:a,toasts:l}=this.#h;a||this.element.append(this.#n.element),l||this.element.append(this.#i.element)}#c(){let{client:t,conversation:e,signal:s,t:i}=this.#t,o=it(()=>this.#b(),s);d(e,"change",()=>{this.#T()?this.#b():o()},s),d(t,"blocked",()=>{this.#s.refresh(),o()},s),d(t,"state",()=>{o(),t.state==="live"&&this.#m()},s),d(t,"message",({detail:{channel:n,message:r,isOwn:a}})=>{if(n!==e.id||a||at(this.#t,r))return;let l=r.senderName??i("announcement");this.#n.message(i("announce.message",{name:l,text:Z(r,i)})),o()},s),d(document,"visibilitychange",()=>{this.#a.check(),document.visibilityState==="visible"&&(this.#m(),this.#M())},s),this.#m(),mt().then(({Extras:n})=>{s.aborted||(this.#t.extras=new n(this.#t,this.#s),this.#b())},()=>{}),ft().then(({watchDrops:n})=>n(this.#t,this.#r.drop,r=>this.composer.addFiles(r)),()=>{})}#m(){let{client:t,times:e}=this.#t,s=t.sync.serverTime,i=e.dayKey(s);clearTimeout(this.#y),i!==this.#x&&this.#s.refresh(),this.#x=i,this.#y=setTimeout(()=>this.#m(),Math.min(e.nextMidnight(s)-s+50,36e5))}#T(){let t=this.#t.conversation.items.at(-1);return t?.kind==="message"&&t.state!=="sent"&&t.key!==this.#u}#b(){let{conversation:t}=this.#t,{items:e,hasLoaded:s}=t;this.#k(),this.#u=e.at(-1)?.key??"",this.#A(),this.#v(this.#s.items,s),this.#D(),this.#z(e),this.composer.update(),this.#M()}#v(t,e){if(!t.length||!this.element.isConnected)return;let s=!this.#p&&this.#l.kept,i=s?this.#R(s.messageID):-1;s&&i>=0&&(this.#p=this.#f=!0,this.#l.resume(s,i));let o=t.findIndex(n=>n.kind==="unread");o<0?(this.#f=!1,this.#p||this.#s.goToEnd()):(!this.#p||!this.#f&&this.#s.isFollowing)&&(this.#f=!0,this.#s.goTo(o,"top")),this.#p||=e&&!(this.#d&&(s||this.#C))}#A(){let{conversation:t,extras:e}=this.#t,{items:s,hasAfter:i}=t;this.#s.setItems(e?.grouped(s)??s,i)}#R(t){return this.#s.items.findIndex(e=>e.kind==="message"&&(e.parts??[e]).some(({message:s})=>s.messageID===t))}get#C(){let{items:t,hasBefore:e,hasLoaded:s}=this.#t.conversation,i=t[t[0]?.kind==="day"?1:0];return s&&e&&(i?.kind==="unread"||t[0]?.kind==="unread")}#k(){let{conversation:t,client:e,t:s}=this.#t,{channel:i,typing:o}=t,n=this.#r;w(n.typing,G(o,s)),o.length&&this.#n.typing(G(o,s));let a=(i?.kind==="self"?s("kind.self"):i?.name)??(n.title.textContent||(t.isBanned?t.id:"")),l=i?.memberCount??0,f=this.#S(i),x=JSON.stringify([a,l,i?.kind,f]),{details:b}=n;if(b&&b.hidden!==!i&&(T()===b&&this.focus(),b.hidden=!i),x===this.#w)return;this.#w=x,this.element.classList.toggle("single",i?.kind==="single"),w(n.title,a),this.#s.rows.setAttribute("aria-label",s("conversation.messagesWith",{title:a})),n.details&&v(n.details,{"aria-label":s("conversation.details",{title:a})});let z=i?{single:"",self:"",open:s("count.here",{count:l}),group:s("count.members",{count:l})}[i.kind]??s("count.subscribers",{count:l}):"";w(n.status,z),n.status.hidden=!z,i&&k(n.avatar,nt({...f,name:a},{size:36,resolve:L=>e.imageURL(L)}))}#S(t){let e=this.#t.client.user.userID,s=t?.kind==="single"?t.members.find(({userID:i})=>i!==e):null;return{id:s?.userID??t?.channel??"",imageURL:s?.imageURL??t?.profile?.avatar}}#D(){let{conversation:t,t:e}=this.#t,{items:s,isLoading:i,hasLoaded:o,hasBefore:n,error:r}=t,a=this.#r,l=s.length?"":r&&(!o||n)?"error":o&&!i&&!n?"empty":"loading";a.empty.dataset.state!==l&&(a.empty.dataset.state=l,a.empty.hidden=!l,k(a.empty,l==="loading"&&[h("span",{class:"spinner"}),h("span",{class:"visually-hidden"},e("loading"))],l==="empty"&&h("slot",{name:"empty"},h("p",null,e("conversation.empty"))),l==="error"&&[!t.isBanned&&h("p",null,y(r,e)),!t.isGone&&h("button",{type:"button",class:"button",onclick:()=>t.refresh()},e("retry"))])),a.loading.hidden=!this.#o||!s.length}#z(t){let{t:e}=this.#t;for(let s=t.length-1;s>=0;s-=1){let i=t[s];if(i.kind==="message"){if(i.state==="sent")break;i.state!=="failed"?this.#g.delete(i.key):this.#g.has(i.key)||(this.#g.add(i.key),this.#n.failure(i.error?e("state.failedWhy",{reason:y(i.error,e)}):e("announce.notSent")))}}}#M(){let{conversation:t,t:e}=this.#t,{jump:s,jumpCount:i}=this.#r,{isFollowing:o,below:n}=this.#s;this.#p&&this.#l.see();let r=o?0:this.#l.newCount,a=!this.#p||o||!(t.hasAfter||r||n>Ut);s.hidden!==a&&(s.hidden=a),a||(w(i,r?e("jump.new",{count:r}):""),v(s,{"aria-label":r?null:e("jump.newest"),title:e("jump.newest")})),this.#a.check(),this.#q()}async#q(){let{conversation:t}=this.#t;if(!this.#p||this.#o||!t.hasLoaded||this.#e.signal.aborted)return;let{above:e,below:s}=this.#s,i=t.hasBefore&&e<Rt;if(!i&&!(t.hasAfter&&s<Rt))return;this.#o=!0;let{items:o}=t;this.#D(),await(i?t.loadBefore():t.loadAfter()),this.#o=!1,this.#D(),t.items!==o&&!this.#e.signal.aborted&&this.#b()}async#L(t=!1){let{conversation:e,fail:s}=this.#t;this.#d=!1,this.#l.forget();try{e.hasAfter&&await e.loadNewest()}catch(i){return s(i)}this.#A(),this.#s.goToEnd(),t&&this.focus()}async#I(t){let{conversation:e,t:s}=this.#t;try{await e.loadAround(t)}catch{}this.#A();let i=this.#R(t);if(i<0){this.#i.show(s("reply.unavailable"));return}let o=this.#s.goTo(i,"center");o&&(o.focus({preventScroll:!0}),o.classList.remove("is-found"),o.offsetWidth,o.classList.add("is-found"),d(o,"animationend",()=>o.classList.remove("is-found"),this.#e.signal,{once:!0}))}async#E(t){let{client:e,fail:s}=this.#t;try{let i=await e.startConversation(t);this.#h.onOpen?.(i)}catch(i){s(i)}}};var It=C(`
:host { display: flex; flex-direction: column; height: 100%; min-height: 240px; contain: layout; overflow: hidden;
  container-type: inline-size; }
/* Where the page gives it no height, it has one of its own. */
.frame { position: relative; display: flex; flex-direction: column; flex: 1 1 480px; height: 100%; min-height: 0;
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
.connection button { min-height: 36px; margin-block: -6px; padding: 0 8px; font-weight: 600; text-decoration: underline;
  white-space: nowrap; }
.conversation.is-over .back { display: inline-grid; }
@container (max-width: 720px) {
  .panes.has-list { grid-template-columns: minmax(0, 1fr); }
  .list-pane { border: 0; }
  .panes.has-list > .conversation-pane, .panes.is-open > .list-pane { display: none; }
  .panes.is-open > .conversation-pane { display: block; }
  .panes.has-list .conversation .back { display: inline-grid; }
}
`);var _t=1500,W=class extends(globalThis.HTMLElement??Object){constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[Tt,St,Ct,It],this.#e=h("div",{class:"connection",part:"connection",hidden:!0}),this.#n=h("div",{class:"list-pane",hidden:!0}),this.#i=h("div",{class:"conversation-pane"}),this.#t=h("div",{class:"panes"},this.#n,this.#i),this.#h=h("div",{class:"frame"},this.#e,this.#t),t.append(this.#h)}static get observedAttributes(){return["server","token","guest","channel","user","lang","mode"]}#e;#n;#i;#t;#h;#s=Q("en");#l=new A({summary:t=>this.#s("announce.messages",{count:t})});#a=new S({closeLabel:"",live:this.#l});#r=null;#p=!1;#f=null;#d=new AbortController;#o=null;#u=null;#g=[];#w="";#y=!1;#x=!1;get client(){return this.#r}get conversation(){let t=this.#g.at(-1);return t&&this.#r?.conversation(t)||null}get list(){return this.#o}get texts(){return this.#s}connectedCallback(){this.#r||this.#m()}disconnectedCallback(){queueMicrotask(()=>{this.isConnected||this.#b()})}attributeChangedCallback(t,e,s){e===s||!this.isConnected||(t==="channel"||t==="user"||t==="mode"?this.#C():t==="lang"?this.#R():this.#m())}async connect(t={}){this.#b();let{client:e,...s}=t;this.#f=s,this.#d=new AbortController;let{signal:i}=this.#d,o=e??_(this.#T());this.#r=o,this.#p=!e;for(let r of["message","unread","error"])d(o,r,({detail:a})=>this.#c(r,a),i);d(o,"state",()=>this.#q(),i);let n=setTimeout(()=>{this.#x=!0,this.#q()},_t);if(d(i,"abort",()=>clearTimeout(n)),this.#I(i),this.#E(i).catch(()=>{}),this.#s=await $(this.getAttribute("lang")||null),!i.aborted&&(this.#q(),await o.ready,!i.aborted)){if(o.state==="refused"){if(this.#i.replaceChildren(),!this.#j)return;let{showOriginNotice:r}=await import("./chunks/origin-notice-KJ2EMMVJ.js");i.aborted||r(this.#i,o.server,this.#s);return}await this.#A(),await this.#C(),i.aborted||this.#c("ready")}}open(t){if(t===(this.#g.at(-1)??null)){this.#u?.focus();return}this.#g=t?[t]:[],this.#k()}focus(){this.#u?this.#u.focus():this.#o?.focus()}get#j(){let{error:t,server:e=""}=this.#r??{};return t?.name==="origin"&&!["null",e].includes(location.origin)}#c(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e,composed:!0}))}#m(){this.#y||(this.#y=!0,queueMicrotask(()=>{this.#y=!1;let{token:t,guest:e}=this.#T();this.isConnected&&(t||e)&&this.connect(this.#f??{})}))}#T(){let[t,...e]=(this.getAttribute("guest")??"").split(" ");return{server:this.getAttribute("server")??void 0,token:this.getAttribute("token")??void 0,guest:t?{userID:t,name:e.join(" ")||void 0}:void 0,...this.#f}}#b(){this.#d.abort(),this.#u?.close(),this.#o?.destroy(),this.#u=this.#o=null,this.#g=[],this.#n.replaceChildren(),this.#i.replaceChildren(),this.#p&&this.#r?.close(),this.#r=null,this.#x=!1,this.#e.hidden=!0}get#v(){return this.getAttribute("mode")==="both"||!(this.hasAttribute("channel")||this.hasAttribute("user"))}async#A(){let t=this.#r,e=this.#s;if(v(this.#h,{lang:e.lang,dir:e.dir}),this.#a.element.remove(),this.#l.element.remove(),this.#a=new S({closeLabel:e("close"),live:this.#l}),this.#h.append(this.#a.element,this.#l.element),this.#o?.destroy(),this.#o=null,this.#n.hidden=!this.#v,this.#t.classList.toggle("has-list",this.#v),this.#n.replaceChildren(),!this.#v)return;let{signal:s}=this.#d,{ChannelListView:i}=await import("./chunks/list-view-YTK34DCF.js");s.aborted||this.#o||e!==this.#s||!this.#v||(this.#o=new i(t,e,{onSelect:o=>this.open(o),onFailure:this.#z,isDev:Boolean(this.#T().guest)}),this.#n.append(this.#o.element))}async#R(){let{signal:t}=this.#d;!this.#r||t.aborted||(this.#s=await $(this.getAttribute("lang")||null),!t.aborted&&(await this.#A(),!t.aborted&&(this.#k(),this.#q())))}async#C(){let t=this.#r;if(!t||(Boolean(this.#o)!==this.#v&&await this.#A(),this.#r!==t))return;let e=this.getAttribute("channel"),s=this.getAttribute("user");if(this.#w="",!e&&s)try{e=await t.startConversation(s)}catch(i){this.#w=y(i,this.#s),this.#o&&this.#z(i)}this.#r===t&&(this.#g=e?[e]:[],this.#k())}#k(){let t=this.#r,e=this.#g.at(-1)??null,s=this.#u?.element.contains(this.shadowRoot?.activeElement??null);if(this.#u?.close(),this.#u=null,this.#o?.select(e),this.#t.classList.toggle("is-open",e!==null),this.#i.replaceChildren(),e){let i=this.#g.length>1,o=new N(t,t.conversation(e),this.#s,{onBack:i||this.#o?()=>this.#D():void 0,onDetails:()=>this.#M(e),onOpen:n=>this.#S(n),live:this.#l,toasts:this.#a});o.element.classList.toggle("is-over",i),this.#o||v(o.element,{role:"group"}),this.#u=o,this.#i.append(o.element),o.open().catch(this.#z),(s||this.#o&&matchMedia("(hover: hover)").matches)&&o.focus()}else{let i=this.#s;this.#i.append(h("div",{class:"placeholder"},h("slot",{name:"empty"},this.#o||!this.#w?[g("conversation"),h("h2",null,i("conversation.none")),h("p",null,i("conversation.noneHint"))]:[g("warning"),h("p",{role:"alert"},this.#w)]))),s&&this.#o?.focus()}this.#c("open",{channel:e})}#S(t){if(this.#o)return this.open(t);this.#g.push(t),this.#k()}#D(){let t=this.#g.pop();this.#o&&(this.#g=[]),this.#k(),this.#c("close",{channel:t}),this.#o?this.#o.focus():this.#u?.focus()}#z=t=>void this.#a.show(y(t,this.#s),{isFailure:!0});#M=V(async t=>{let e=this.#r,{openDetails:s}=await import("./chunks/details-view-K2QG664I.js");s({client:e,conversation:e.conversation(t),t:this.#s,root:this.#h,fail:this.#z,toasts:this.#a,start:V(async o=>this.#S(await e.startConversation(o)),this.#z),open:o=>this.#S(o)}).closed.then(()=>{document.activeElement===document.body&&this.focus()})},this.#z);#q(){let t=this.#s,{state:e,error:s}=this.#r??{state:"closed",error:null},i={connecting:this.#x?t("connection.connecting"):"",offline:t("connection.offline"),refused:this.#j?"":y(s,t)}[e]??"",o=this.#e.querySelector("span")?.textContent??"";if(o===i&&this.#e.hidden===!i)return;this.#e.hidden=!i;let n=this.#e.querySelector("span");n&&e==="offline"&&this.#e.querySelector("button")?w(n,i):k(this.#e,i&&[g(e==="refused"?"warning":"offline"),h("span",null,i),e==="offline"&&h("button",{type:"button",onclick:this.#L},t("connection.now"))]),!(!o&&!i)&&(e==="refused"?this.#l.failure(i):this.#l.note(i||t("connection.back")))}#L=()=>{w(this.#e.querySelector("span"),this.#s("connection.connecting")),this.#r?.wake()};#I(t){let e=window.visualViewport;e&&d(e,"resize scroll",()=>{let s=this.matches(":focus-within")?Math.max(0,this.getBoundingClientRect().bottom-e.height-e.offsetTop):0,i=e.scale===1&&innerHeight-e.height>120;this.#h.style.setProperty("--roost-keyboard",`${i?s:0}px`)},t)}async#E(t){let{watchKeys:e}=await import("./chunks/keys-2XGJKYXA.js");e({target:this.getAttribute("keys")==="page"?document:this.#h,root:this.#h,signal:t,list:()=>this.#o,view:()=>this.#u,t:()=>this.#s,fail:this.#z,showList:()=>{this.#t.classList.contains("is-open")&&!this.#o?.element.offsetParent&&this.open(null)}})}};var Y=globalThis.customElements;Y&&!Y.get("roost-chat")&&Y.define("roost-chat",W);export{W as RoostChatElement,_ as connect};
