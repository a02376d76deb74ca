import{a as B,b as T}from"./chunk-X3SCNTKB.js";import"./chunk-M4K7AB64.js";import{e as M}from"./chunk-2EOWLGIT.js";import"./chunk-JJWSS6UI.js";import"./chunk-REVB7W5X.js";import"./chunk-IDWCOWZH.js";import{d as C,e as F,n as z}from"./chunk-5A6PDFTL.js";import{b as P}from"./chunk-AFOLSHF3.js";import"./chunk-OC4LJ6JD.js";import"./chunk-PW7NZQJY.js";import"./chunk-LEEGMWMJ.js";import{b as y}from"./chunk-5X4B7PGS.js";import{a as x,b as v}from"./chunk-EMUUJ3G7.js";import"./chunk-KXJQLKO2.js";import{a as h,b as w,d as b,e as q,f as p}from"./chunk-Y4HQ7EP4.js";import"./chunk-MJI2HW7I.js";var K=6e4,U=10,I=340,O=2,k=class{constructor(t){this.#t=t}#t;#o=new WeakMap;#i=new WeakMap;grouped(t){let e=this.#o.get(t);return e||this.#o.set(t,e=this.#s(t)),e}#s(t){let e=[],o=[],i=()=>{o.length&&e.push(o.length>1?this.#e(o):o[0]),o=[]};for(let s of t){if(s.kind!=="message"||!J(s)){i(),e.push(s);continue}let n=o.at(-1);(!n||o.length===U||!Q(n,s))&&i(),o.push(s)}return i(),e}#e(t){let[e]=t,o=this.#i.get(e);if(o?.parts?.length===t.length&&o.parts.every((c,l)=>c===t[l]))return o;let{state:i,unreadBy:s}=t[t.length-1],n=L(t.length).reduce((c,l)=>c+O+$(l),e.isGrouped?14:44),a={...e,state:i,unreadBy:s,parts:t,height:n+(e.message.text?36:0)};return this.#i.set(e,a),a}view(t,e){let{t:o}=this.#t,i=t.parts??[],s=e??h("div",{class:"album",role:"group"});s.setAttribute("aria-label",o("album.label",{count:i.length})),q(s,i,({key:a})=>a,a=>this.#r(a),(a,c,l)=>{c.message===l.message?T(this.#t,a.firstElementChild,c):this.#n(a,c)});let n=L(i.length).flatMap(a=>Array(a).fill(6/a));return[...s.children].forEach((a,c)=>{let{style:l}=a;l.setProperty("grid-column",`span ${n[c]}`),l.setProperty("aspect-ratio",n[c]===6?"2":"1")}),s}#r(t){let e=h("div",{class:"cell","data-part":t.key});return this.#n(e,t),e}#n(t,e){let o=t.querySelector(".media.is-loaded"),i=o??B(this.#t,e);o?T(this.#t,i,e):t.replaceChildren(i),t.querySelector(".reactions")?.remove();let s=M(this.#t,e);s&&t.append(s)}};function L(r){if(r===3)return[1,2];let t=(3-r%3)%3;return[...Array(t).fill(2),...Array((r-2*t)/3).fill(3)]}var $=r=>r===1?I/2:(I-O*(r-1))/r,J=({message:r,state:t})=>P(r)&&r.file&&!r.recall&&t!=="failed";function Q({message:r,isOwn:t},e){let{message:o}=e;return e.isOwn===t&&o.senderID===r.senderID&&!o.text&&!o.replyTo&&o.sentAt-r.sentAt<=K&&Boolean(o.isForwarded)===Boolean(r.isForwarded)}var R=x(`
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
`);function E({client:r,times:t,openedAt:e,signal:o},i){let s=0,n=t.dayKey(e),a=()=>{let c=r.sync.serverTime,l=t.dayKey(c);clearTimeout(s),l!==n&&i.refresh(),n=l,s=setTimeout(a,Math.min(t.nextMidnight(c)-c+50,36e5))};a(),p(r,"state",()=>r.state==="live"&&a(),o),p(document,"visibilitychange",()=>document.visibilityState==="visible"&&a(),o),p(o,"abort",()=>clearTimeout(s))}var X=x(`
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
`);function W({root:r,signal:t},e){r.getRootNode().host.getAttribute("print")==="page"&&(v(r,X),p(window,"beforeprint",()=>e.drawWhole(!0),t),p(window,"afterprint",()=>e.drawWhole(!1),t))}function N(r,t,e){let{t:o,signal:i,conversation:s}=r,n=(c,l,d)=>h("button",{type:"button",class:"icon-button",tabindex:"-1","aria-label":o(c),title:o(c),onclick:m=>{let u=e.messageAt(m.target);u&&d(u,m.currentTarget)}},y(l)),a=h("span",{class:"tools"},n("message.react","emoji",({message:c},l)=>z(r,{anchor:l,returnTo:l.closest("[data-key]"),onpick:d=>s.react(c.messageID??"",d).catch(r.fail)})),n("message.reply","reply",({message:c})=>r.reply(c)));p(t.rows,"pointerover",c=>{if(c.pointerType!=="mouse"||!s.canWrite)return;let l=c.target.closest("[data-key]");if(!l||a.parentElement===l)return;let d=e.messageAt(l);d?.message.messageID&&!d.message.recall?l.append(a):a.remove()},i,{passive:!0})}var Y=1200;function _(r,t){let{t:e,times:o,signal:i,client:s}=r,n=h("time",{class:"side-time","aria-hidden":"true",dir:e.dir}),a=h("div",{class:"floating-date","aria-hidden":"true"},h("span",null));t.element.before(a);let c=0;p(i,"abort",()=>clearTimeout(c));let l=d=>{let m=d.closest("[data-key]"),u=m&&t.itemAt(m);if(u?.kind!=="message")return n.remove();let{sentAt:g}=u.message,f=o.fullText(g);if(!u.isGrouped)return n.remove();m.querySelector(".bubble")?.setAttribute("title",f),!(n.parentElement===m&&n.title===f)&&(w(n,{datetime:o.isoText(g),title:f}),b(n,o.timeText(g)),m.append(n))};p(t.rows,"pointerover",d=>{d.pointerType==="mouse"&&l(d.target)},i,{passive:!0}),p(t.rows,"pointerleave",()=>n.remove(),i),p(t.rows,"focusin",d=>{d.target.matches(":focus-visible")&&l(d.target)},i),p(t.rows,"focusout",()=>n.remove(),i),p(t.element,"scroll",()=>{let[d]=t.visible,m=d?.kind==="message"?d.message.sentAt:d?.kind==="line"?d.sentAt:d?.kind==="day"?d.day:NaN,{top:u}=t.element.getBoundingClientRect(),g=[...t.rows.querySelectorAll(".day-row")].some(H=>{let j=H.getBoundingClientRect();return j.bottom>u&&j.top<u+56}),f=!t.isFollowing&&!g&&Number.isFinite(m);f&&b(a.firstChild,o.dayText(m,s.sync.serverTime)),a.classList.toggle("is-shown",f),clearTimeout(c),c=setTimeout(()=>a.classList.remove("is-shown"),Y)},i,{passive:!0})}var Z=240,A=class{constructor(t,e,o,i){this.#t=t,this.#o=e,this.#i=o,this.#s=h("span",{class:"jump-text"}),this.#e=h("button",{type:"button",class:"jump",part:"jump",hidden:!0,onclick:i},this.#s,y("arrow-down")),e.element.parentElement?.append(this.#e)}#t;#o;#i;#s;#e;draw(){let{conversation:t,t:e}=this.#t,{isFollowing:o,below:i}=this.#o,s=o?0:this.#i.newCount,n=o||!(t.hasAfter||s||i>Z);this.#e.hidden!==n&&(this.#e.hidden=n),!n&&(b(this.#s,s?e("jump.new",{count:s}):""),w(this.#e,{"aria-label":s?null:e("jump.newest"),title:e("jump.newest")}))}};var tt=500,G=5e3,D=-G,S=class{constructor(t,e,o){this.#t=t,this.#o=e,this.#i=o;let i=new IntersectionObserver(n=>{this.#s=n[n.length-1].isIntersecting,this.check()});i.observe(e.element),p(window,"focus keydown pointerdown wheel",n=>{n.type!=="focus"&&(D=performance.now()),this.check()},t.signal,{capture:!0,passive:!0}),p(t.signal,"abort",()=>{i.disconnect(),clearTimeout(this.#e),t.client.attend(t.conversation.id,!1)})}#t;#o;#i;#s=!1;#e=0;check(){let{client:t,conversation:e}=this.#t;if(t.attend(e.id,this.#n),this.#e)return;let o=this.#a;o&&(this.#e=setTimeout(()=>{this.#e=0;let i=this.#a,s=i?Math.min(o.to,i.to):0,n=i&&s>=Math.max(o.from,i.from);n&&e.markRead(s),(!n||i.to>s)&&this.check()},tt))}get#r(){let{conversation:t,client:e}=this.#t;return document.visibilityState==="visible"&&(document.hasFocus()||performance.now()-D<G)&&this.#s&&e.state==="live"&&t.hasLoaded&&!t.isGone}get#n(){let t=this.#o.items.at(-1);return Boolean(this.#r&&!this.#t.conversation.hasAfter&&t&&this.#o.isFollowing&&this.#o.row(t.key))}get#a(){let{channel:t,timeline:e}=this.#t.conversation,{readSeq:o=0,isMarkedUnread:i,kind:s}=t??{};if(!t||s==="open")return null;if(this.#n){let c=Math.min(t.seq,e.to);return c>o||i?{from:0,to:c}:null}if(!t.unread||!this.#r||!this.#i())return null;let n=this.#o.whole.map(et).filter(Boolean),a=n.at(-1)??0;return a>o?{from:n[0],to:a}:null}};function et(r){return r.kind==="line"?r.event.seq??0:r.kind==="message"?(r.parts?.at(-1)??r).message.seq??0:0}var V=class{constructor(t,e){this.#t=t,this.#o=e,this.#i=new k(t),v(t.root,R),E(t,e),N(t,e,this),_(t,e),W(t,e),p(e.rows,"click",o=>{if(!o.target.closest(".avatar-column .avatar, .sender button"))return;let i=e.itemAt(o.target);i?.kind==="message"&&this.openProfile(i.message)},t.signal),p(e.rows,"pointerover focusin",({type:o,target:i})=>{let s=i.closest("[data-part]"),n=i.closest("[data-key]"),a=o==="focusin"?i===n:n!==this.#s?.closest("[data-key]");(s||a)&&(this.#s=s)},t.signal,{passive:!0})}#t;#o;#i;#s=null;#e=null;grouped(t){return this.#i.grouped(t)}albumView(t,e){return this.#i.view(t,e)}partAt(t,e){let i=(t.closest("[data-part]")??this.#s)?.dataset.part;return e.parts?.find(s=>s.key===i)??e.parts?.[0]??e}messageAt(t){let e=this.#o.itemAt(t);return e?.kind==="message"?this.partAt(t,e):null}mark(t,e){this.#e?.mark(t,e)}async select(t){try{let{Selection:e}=await C();if(this.#t.signal.aborted)return;this.#e??=new e(this.#t,this.#o,this,()=>{this.#e=null,this.#o.refresh()}),this.#e.begin(t)}catch(e){this.#t.fail(e)}}async openProfile({senderID:t,senderName:e,senderImageURL:o,isAnnouncement:i}){if(!(!t||i))try{let{openProfile:s}=await F();if(this.#t.signal.aborted)return;s(this.#t,{userID:t,name:e??t,imageURL:o})}catch(s){this.#t.fail(s)}}};export{V as Extras,A as JumpButton,S as ReadMarker};
