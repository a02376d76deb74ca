import{a as P,b as y}from"./chunk-NKOJYTLK.js";import"./chunk-PQMEVI7E.js";import{e as S}from"./chunk-LMOVRTXX.js";import"./chunk-LYUKWSC3.js";import"./chunk-SC5CBILM.js";import{g as z,h as C}from"./chunk-QFKYHTS5.js";import"./chunk-DVZEWAPL.js";import"./chunk-LEEGMWMJ.js";import"./chunk-5X4B7PGS.js";import{a as b,b as x}from"./chunk-EMUUJ3G7.js";import"./chunk-AKOMXOFK.js";import{a as m,b as A,d as v,e as T,f as p}from"./chunk-B5FSEVQL.js";import"./chunk-QQ5AYLBF.js";var L=6e4,O=10,q=340,j=2,w=class{constructor(e){this.#e=e}#e;#t=new WeakMap;#o=new WeakMap;grouped(e){let t=this.#t.get(e);return t||this.#t.set(e,t=this.#i(e)),t}#i(e){let t=[],o=[],i=()=>{o.length&&t.push(o.length>1?this.#n(o):o[0]),o=[]};for(let n of e){if(n.kind!=="message"||!E(n)){i(),t.push(n);continue}let a=o.at(-1);(!a||o.length===O||!G(a,n))&&i(),o.push(n)}return i(),t}#n(e){let[t]=e,o=this.#o.get(t);if(o?.parts?.length===e.length&&o.parts.every((c,d)=>c===e[d]))return o;let{state:i,unreadBy:n}=e[e.length-1],a=B(e.length).reduce((c,d)=>c+j+V(d),t.isGrouped?14:44),s={...t,state:i,unreadBy:n,parts:e,height:a+(t.message.text?36:0)};return this.#o.set(t,s),s}view(e,t){let{t:o}=this.#e,i=e.parts??[],n=t??m("div",{class:"album",role:"group"});n.setAttribute("aria-label",o("album.label",{count:i.length})),T(n,i,({key:s})=>s,s=>this.#s(s),(s,c,d)=>{c.message===d.message?y(this.#e,s.firstElementChild,c):this.#r(s,c)});let a=B(i.length).flatMap(s=>Array(s).fill(6/s));return[...n.children].forEach((s,c)=>{let{style:d}=s;d.setProperty("grid-column",`span ${a[c]}`),d.setProperty("aspect-ratio",a[c]===6?"2":"1")}),n}#s(e){let t=m("div",{class:"cell","data-part":e.key});return this.#r(t,e),t}#r(e,t){let o=e.querySelector(".media.is-loaded"),i=o??P(this.#e,t);o?y(this.#e,i,t):e.replaceChildren(i),e.querySelector(".reactions")?.remove();let n=S(this.#e,t);n&&e.append(n)}};function B(r){if(r===3)return[1,2];let e=(3-r%3)%3;return[...Array(e).fill(2),...Array((r-2*e)/3).fill(3)]}var V=r=>r===1?q/2:(q-j*(r-1))/r,E=({message:r,state:e})=>(r.type==="image"||r.type==="video")&&r.file&&!r.recall&&e!=="failed";function G({message:r,isOwn:e},t){let{message:o}=t;return t.isOwn===e&&o.senderID===r.senderID&&!o.text&&!o.replyTo&&o.sentAt-r.sentAt<=L&&Boolean(o.isForwarded)===Boolean(r.isForwarded)}var F=b(`
.album { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 2px; width: 340px; max-width: 100%;
  border-radius: 12px; overflow: hidden; }
.album .cell { position: relative; min-width: 0; }
.album .media { width: 100%; height: 100%; aspect-ratio: auto; border-radius: 2px; }
.album .reactions { position: absolute; inset: auto 4px 4px; z-index: 1; padding: 0; flex-wrap: wrap;
  justify-content: flex-start; pointer-events: none; }
.album .reaction { pointer-events: auto; }

.side-time { align-self: center; flex: none; margin-inline: 2px; font-size: 12px; line-height: 16px;
  color: var(--roost-text-2); white-space: nowrap; font-variant-numeric: tabular-nums; }
@container (max-width: 560px) { .side-time { display: none; } }
.floating-date { position: absolute; inset: 8px 0 auto; z-index: 2; display: grid; place-items: center;
  pointer-events: none; visibility: hidden; translate: 0 -8px; transition: visibility 120ms, translate 120ms; }
.floating-date.is-shown { visibility: visible; translate: none; }
.floating-date > span { padding: 3px 12px; border-radius: 99px; background: var(--roost-surface-2);
  color: var(--roost-text-2); font-size: var(--roost-size-1); font-weight: 500; box-shadow: var(--roost-shadow); }

.selecting > .composer > :not(.selection-bar), .selecting > .typing, .selecting .message-row > .tools,
.selecting .side-time, .selecting .row > .more { display: none; }
.selecting .message-row { cursor: pointer; user-select: none; -webkit-user-select: none;
  padding-inline-start: max(52px, calc((100cqi - 960px) / 2 + 36px)); }
.selecting .message-row:has(.choice:checked) { background: color-mix(in srgb, var(--roost-accent) 12%, transparent); }
.choice { appearance: none; position: absolute; inset-block-start: calc(50% - 12px);
  inset-inline-start: max(14px, calc((100cqi - 960px) / 2 - 2px));
  width: 24px; height: 24px; margin: 0; border: 2px solid var(--roost-text-2); border-radius: 50%; cursor: pointer;
  background: var(--roost-surface); }
.choice:checked, .choice:indeterminate, .cell.is-chosen::after { border-color: var(--roost-accent);
  background: var(--roost-accent); }
.choice:checked::before, .cell.is-chosen::before { content: ""; position: absolute; inset: 4px 7px 6px; rotate: 45deg;
  border: solid var(--roost-on-accent); border-width: 0 2px 2px 0; }
.choice:indeterminate::before { content: ""; position: absolute; inset: 9px 4px; background: var(--roost-on-accent); }
.selecting .cell::after { content: ""; position: absolute; inset-block-start: 8px; inset-inline-end: 8px; z-index: 3;
  width: 24px; height: 24px; border: 2px solid #fff; border-radius: 50%; background: #0006; }
.selecting .cell.is-chosen::after { border-color: #fff; background: var(--roost-accent); }
.selecting .cell.is-chosen::before { inset: 12px auto auto auto; inset-inline-end: 16px; z-index: 4; width: 8px;
  height: 13px; border-color: var(--roost-on-accent); }
.selecting > .composer { border-top: 1px solid var(--roost-line); }
.selection-bar { display: flex; align-items: center; gap: 4px; padding-top: 12px; }
.selection-bar .count { flex: 1; min-width: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.selection-bar [aria-disabled="true"] { opacity: .5; cursor: default; }
@media (forced-colors: active) {
  .choice, .cell.is-chosen::after { forced-color-adjust: none; border-color: CanvasText; background: Canvas; }
  .choice:checked, .choice:indeterminate, .cell.is-chosen::after { background: Highlight; }
}
@container (max-width: 480px) {
  .selection-bar .button { padding-inline: 10px; }
  .selection-bar .button > span { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
}
`);var I=b(`
@media print {
  :host { position: static !important; height: auto !important; min-height: 0 !important; max-height: none !important;
    overflow: visible !important; contain: none !important; container-type: normal !important; }
  .frame, .panes, .conversation-pane, .conversation, .timeline, .scroller, .rows { display: block !important;
    position: static !important; height: auto !important; min-height: 0 !important; overflow: visible !important;
    contain: none !important; container-type: normal !important; padding-block: 0 !important; }
  .panes.is-open > .list-pane, .connection, .composer, .typing, .jump, .floating-date, .page-loading, .toasts, .drop,
  .more, .tools, .side-time, .choice, .selection-bar, .conversation-header > :not(.about), .failure-actions,
  dialog { display: none !important; }
  .row { padding-inline: 0 !important; break-inside: avoid; }
  .row:has(.fold), .row:has(.text) { break-inside: auto; }
  .day-row { break-after: avoid; }
  .bubble, .day, .avatar, .reaction { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .meta > time.visually-hidden { position: static !important; width: auto; height: auto; margin: 0; clip-path: none; }
  .media img, .media video { opacity: 1; }
}
`);function M({root:r,signal:e},t){r.getRootNode().host.getAttribute("print")==="page"&&(x(r,I),p(window,"beforeprint",()=>t.drawWhole(!0),e),p(window,"afterprint",()=>t.drawWhole(!1),e))}var D=1200;function N(r,e){let{t,times:o,signal:i,client:n}=r,a=m("time",{class:"side-time","aria-hidden":"true",dir:t.dir}),s=m("div",{class:"floating-date","aria-hidden":"true"},m("span",null));e.element.before(s);let c=0;p(i,"abort",()=>clearTimeout(c));let d=l=>{let h=l.closest("[data-key]"),u=h&&e.itemAt(h);if(u?.kind!=="message")return a.remove();let{sentAt:f}=u.message,g=o.fullText(f);if(!u.isGrouped)return a.remove();h.querySelector(".bubble")?.setAttribute("title",g),!(a.parentElement===h&&a.title===g)&&(A(a,{datetime:o.isoText(f),title:g}),v(a,o.timeText(f)),h.append(a))};p(e.rows,"pointerover",l=>{l.pointerType==="mouse"&&d(l.target)},i,{passive:!0}),p(e.rows,"pointerleave",()=>a.remove(),i),p(e.rows,"focusin",l=>{l.target.matches(":focus-visible")&&d(l.target)},i),p(e.rows,"focusout",()=>a.remove(),i),p(e.element,"scroll",()=>{let[l]=e.visible,h=l?.kind==="message"?l.message.sentAt:l?.kind==="line"?l.sentAt:l?.kind==="day"?l.day:NaN,{top:u}=e.element.getBoundingClientRect(),f=[...e.rows.querySelectorAll(".day-row")].some(W=>{let k=W.getBoundingClientRect();return k.bottom>u&&k.top<u+56}),g=!e.isFollowing&&!f&&Number.isFinite(h);g&&v(s.firstChild,o.dayText(h,n.sync.serverTime)),s.classList.toggle("is-shown",g),clearTimeout(c),c=setTimeout(()=>s.classList.remove("is-shown"),D)},i,{passive:!0})}var R=class{constructor(e,t){this.#e=e,this.#t=t,this.#o=new w(e),x(e.root,F),N(e,t),M(e,t),p(t.rows,"click",o=>{if(!o.target.closest(".avatar-column .avatar, .sender button"))return;let i=t.itemAt(o.target);i?.kind==="message"&&this.openProfile(i.message)},e.signal)}#e;#t;#o;#i=null;grouped(e){return this.#o.grouped(e)}albumView(e,t){return this.#o.view(e,t)}partAt(e,t){let o=e.closest("[data-part]")?.dataset.part;return t.parts?.find(i=>i.key===o)??t.parts?.[0]??t}mark(e,t){this.#i?.mark(e,t)}async select(e){try{let{Selection:t}=await z();if(this.#e.signal.aborted)return;this.#i??=new t(this.#e,this.#t,this,()=>{this.#i=null,this.#t.refresh()}),this.#i.begin(e)}catch(t){this.#e.fail(t)}}async openProfile({senderID:e,senderName:t,senderImageURL:o,isAnnouncement:i}){if(!(!e||i))try{let{openProfile:n}=await C();if(this.#e.signal.aborted)return;n(this.#e,{userID:e,name:t??e,imageURL:o})}catch(n){this.#e.fail(n)}}};export{R as Extras};
