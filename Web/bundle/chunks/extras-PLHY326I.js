import{a as B,b as y}from"./chunk-WMPMO72M.js";import"./chunk-M4K7AB64.js";import{h as P}from"./chunk-LL6NECO5.js";import"./chunk-JJWSS6UI.js";import{b as q,h as z,i as C}from"./chunk-XP7GNXDR.js";import"./chunk-LEEGMWMJ.js";import"./chunk-5X4B7PGS.js";import{a as b,b as w}from"./chunk-EMUUJ3G7.js";import"./chunk-LRSLODDT.js";import{a as u,b as T,d as v,e as S,f as l}from"./chunk-Y4HQ7EP4.js";import"./chunk-BHU2EXK3.js";var V=6e4,E=10,M=340,L=2,x=class{constructor(t){this.#t=t}#t;#e=new WeakMap;#i=new WeakMap;grouped(t){let e=this.#e.get(t);return e||this.#e.set(t,e=this.#s(t)),e}#s(t){let e=[],o=[],i=()=>{o.length&&e.push(o.length>1?this.#o(o):o[0]),o=[]};for(let s of t){if(s.kind!=="message"||!_(s)){i(),e.push(s);continue}let n=o.at(-1);(!n||o.length===E||!D(n,s))&&i(),o.push(s)}return i(),e}#o(t){let[e]=t,o=this.#i.get(e);if(o?.parts?.length===t.length&&o.parts.every((c,p)=>c===t[p]))return o;let{state:i,unreadBy:s}=t[t.length-1],n=F(t.length).reduce((c,p)=>c+L+U(p),e.isGrouped?14:44),a={...e,state:i,unreadBy:s,parts:t,height:n+(e.message.text?36:0)};return this.#i.set(e,a),a}view(t,e){let{t:o}=this.#t,i=t.parts??[],s=e??u("div",{class:"album",role:"group"});s.setAttribute("aria-label",o("album.label",{count:i.length})),S(s,i,({key:a})=>a,a=>this.#r(a),(a,c,p)=>{c.message===p.message?y(this.#t,a.firstElementChild,c):this.#n(a,c)});let n=F(i.length).flatMap(a=>Array(a).fill(6/a));return[...s.children].forEach((a,c)=>{let{style:p}=a;p.setProperty("grid-column",`span ${n[c]}`),p.setProperty("aspect-ratio",n[c]===6?"2":"1")}),s}#r(t){let e=u("div",{class:"cell","data-part":t.key});return this.#n(e,t),e}#n(t,e){let o=t.querySelector(".media.is-loaded"),i=o??B(this.#t,e);o?y(this.#t,i,e):t.replaceChildren(i),t.querySelector(".reactions")?.remove();let s=P(this.#t,e);s&&t.append(s)}};function F(r){if(r===3)return[1,2];let t=(3-r%3)%3;return[...Array(t).fill(2),...Array((r-2*t)/3).fill(3)]}var U=r=>r===1?M/2:(M-L*(r-1))/r,_=({message:r,state:t})=>q(r)&&r.file&&!r.recall&&t!=="failed";function D({message:r,isOwn:t},e){let{message:o}=e;return e.isOwn===t&&o.senderID===r.senderID&&!o.text&&!o.replyTo&&o.sentAt-r.sentAt<=V&&Boolean(o.isForwarded)===Boolean(r.isForwarded)}var O=b(`
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
`);var H=b(`
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
`);function R({root:r,signal:t},e){r.getRootNode().host.getAttribute("print")==="page"&&(w(r,H),l(window,"beforeprint",()=>e.drawWhole(!0),t),l(window,"afterprint",()=>e.drawWhole(!1),t))}var $=1200;function j(r,t){let{t:e,times:o,signal:i,client:s}=r,n=u("time",{class:"side-time","aria-hidden":"true",dir:e.dir}),a=u("div",{class:"floating-date","aria-hidden":"true"},u("span",null));t.element.before(a);let c=0;l(i,"abort",()=>clearTimeout(c));let p=d=>{let h=d.closest("[data-key]"),m=h&&t.itemAt(h);if(m?.kind!=="message")return n.remove();let{sentAt:g}=m.message,f=o.fullText(g);if(!m.isGrouped)return n.remove();h.querySelector(".bubble")?.setAttribute("title",f),!(n.parentElement===h&&n.title===f)&&(T(n,{datetime:o.isoText(g),title:f}),v(n,o.timeText(g)),h.append(n))};l(t.rows,"pointerover",d=>{d.pointerType==="mouse"&&p(d.target)},i,{passive:!0}),l(t.rows,"pointerleave",()=>n.remove(),i),l(t.rows,"focusin",d=>{d.target.matches(":focus-visible")&&p(d.target)},i),l(t.rows,"focusout",()=>n.remove(),i),l(t.element,"scroll",()=>{let[d]=t.visible,h=d?.kind==="message"?d.message.sentAt:d?.kind==="line"?d.sentAt:d?.kind==="day"?d.day:NaN,{top:m}=t.element.getBoundingClientRect(),g=[...t.rows.querySelectorAll(".day-row")].some(G=>{let A=G.getBoundingClientRect();return A.bottom>m&&A.top<m+56}),f=!t.isFollowing&&!g&&Number.isFinite(h);f&&v(a.firstChild,o.dayText(h,s.serverTime)),a.classList.toggle("is-shown",f),clearTimeout(c),c=setTimeout(()=>a.classList.remove("is-shown"),$)},i,{passive:!0})}var J=500,N=5e3,I=-N,k=class{constructor(t,e,o){this.#t=t,this.#e=e,this.#i=o;let i=new IntersectionObserver(n=>{this.#s=n[n.length-1].isIntersecting,this.check()});i.observe(e.element),l(window,"focus keydown pointerdown wheel",n=>{n.type!=="focus"&&(I=performance.now()),this.check()},t.signal,{capture:!0,passive:!0}),l(t.signal,"abort",()=>{i.disconnect(),clearTimeout(this.#o),t.client.attend(t.conversation.id,!1)})}#t;#e;#i;#s=!1;#o=0;check(){let{client:t,conversation:e}=this.#t;if(t.attend(e.id,this.#n),this.#o)return;let o=this.#a;o&&(this.#o=setTimeout(()=>{this.#o=0;let i=this.#a,s=i?Math.min(o.to,i.to):0,n=i&&s>=Math.max(o.from,i.from);n&&e.markRead(s),(!n||i.to>s)&&this.check()},J))}get#r(){let{conversation:t,client:e}=this.#t;return document.visibilityState==="visible"&&(document.hasFocus()||performance.now()-I<N)&&this.#s&&e.state==="live"&&t.hasLoaded&&!t.isGone}get#n(){let t=this.#e.items.at(-1);return Boolean(this.#r&&!this.#t.conversation.hasAfter&&t&&this.#e.isFollowing&&this.#e.row(t.key))}get#a(){let{channel:t,lastSeq:e}=this.#t.conversation,{readSeq:o=0,isMarkedUnread:i,kind:s}=t??{};if(!t||s==="open")return null;if(this.#n){let c=Math.min(t.seq,e);return c>o||i?{from:0,to:c}:null}if(!t.unread||!this.#r||!this.#i())return null;let n=this.#e.whole.map(K).filter(Boolean),a=n.at(-1)??0;return a>o?{from:n[0],to:a}:null}};function K(r){return r.kind==="line"?r.event.seq??0:r.kind==="message"?(r.parts?.at(-1)??r).message.seq??0:0}var W=class{constructor(t,e){this.#t=t,this.#e=e,this.#i=new x(t),w(t.root,O),j(t,e),R(t,e),l(e.rows,"click",o=>{if(!o.target.closest(".avatar-column .avatar, .sender button"))return;let i=e.itemAt(o.target);i?.kind==="message"&&this.openProfile(i.message)},t.signal),l(e.rows,"pointerover focusin",({type:o,target:i})=>{let s=i.closest("[data-part]"),n=i.closest("[data-key]"),a=o==="focusin"?i===n:n!==this.#s?.closest("[data-key]");(s||a)&&(this.#s=s)},t.signal,{passive:!0})}#t;#e;#i;#s=null;#o=null;grouped(t){return this.#i.grouped(t)}albumView(t,e){return this.#i.view(t,e)}partAt(t,e){let i=(t.closest("[data-part]")??this.#s)?.dataset.part;return e.parts?.find(s=>s.key===i)??e.parts?.[0]??e}mark(t,e){this.#o?.mark(t,e)}async select(t){try{let{Selection:e}=await z();if(this.#t.signal.aborted)return;this.#o??=new e(this.#t,this.#e,this,()=>{this.#o=null,this.#e.refresh()}),this.#o.begin(t)}catch(e){this.#t.fail(e)}}async openProfile({senderID:t,senderName:e,senderImageURL:o,isAnnouncement:i}){if(!(!t||i))try{let{openProfile:s}=await C();if(this.#t.signal.aborted)return;s(this.#t,{userID:t,name:e??t,imageURL:o})}catch(s){this.#t.fail(s)}}};export{W as Extras,k as ReadMarker};
