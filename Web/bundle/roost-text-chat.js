import{a as n,d as c}from"./chunks/chunk-Y4HQ7EP4.js";var _=500,G=5e3,U=2,A=200,p=class{constructor(t){this.#e=t,this.element=n("div",{role:"status","aria-live":"polite",class:"unseen"})}#e;#t=[];#o="";#r=!1;#a=!1;#n;start(){this.#r=!0}stop(){this.#r=!1,this.#a=!1,clearTimeout(this.#n),this.#t=[],this.#o="",this.element.replaceChildren()}message(t){this.#r&&(this.#t.push(t),this.#s())}note(t){this.#r&&(this.#o=t,this.#s())}#s(){this.#a||(this.#a=!0,clearTimeout(this.#n),this.#n=setTimeout(()=>this.#i(),_))}#i(){this.#a=!1;let t=this.#e(),e=this.#t.length>U?[t.fresh(this.#t.length)]:this.#t.map(({alias:s,text:r})=>t.said(s,q(r)));this.#o&&e.push(this.#o),this.#t=[],this.#o="",this.element.replaceChildren(...e.map(s=>n("p",null,s))),this.#n=setTimeout(()=>this.element.replaceChildren(),G)}};function q(i){return i.length<=A?i:Array.from(i).slice(0,A).join("")+"…"}var C=()=>k("M12 19V5M5 12l7-7 7 7"),N=()=>k("M12 5v14M5 12l7 7 7-7"),I=()=>k("M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18");function k(i){let t=document.createElementNS("http://www.w3.org/2000/svg","svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let e=document.createElementNS("http://www.w3.org/2000/svg","path");return e.setAttribute("d",i),t.append(e),t}var V=4e3,Z=500,f=class{element=n("div",{class:"error",part:"error",role:"alert"});#e=null;#t;show(t){this.element.classList.remove("leaving"),this.element.replaceChildren(n("p",null,I(),n("span",null,t))),this.#e=Date.now()+V,this.start()}start(){if(clearTimeout(this.#t),this.#e===null||!this.element.isConnected)return;let t=()=>{this.element.classList.add("leaving"),this.#t=setTimeout(()=>this.hide(),Z)};this.#t=setTimeout(t,Math.max(0,this.#e-Date.now()))}stop(){clearTimeout(this.#t)}hide(){clearTimeout(this.#t),this.#e=null,this.element.classList.remove("leaving"),this.element.replaceChildren()}};function H(i){let t=i===null||i===""?NaN:Math.trunc(Number(i));return Number.isNaN(t)?1e3:Math.min(Math.max(t,1),8e3)}var L=(i,t)=>Math.max(0,t-i.length),z=(i,t,e)=>i<=e||i<t,m=i=>!/\P{White_Space}/u.test(i);function S(i,t){return t!==void 0&&i.isSent===t.isSent&&i.message.senderID===t.message.senderID&&i.message.alias===t.message.alias&&i.message.sentAt.getTime()-t.message.sentAt.getTime()<12e4}function T(i,t=Date.now){let{senderID:e=null,alias:s="",text:r,sentAt:o}=i;if(typeof r!="string")throw new TypeError("The text of a message must be a string.");if(e!==null&&typeof e!="string")throw new TypeError("A senderID must be a string or null.");if(s!==null&&typeof s!="string")throw new TypeError("An alias must be a string.");let a=new Date(o??t());if(Number.isNaN(a.getTime()))throw new TypeError("sentAt must be a time.");return{senderID:e,alias:O(s??""),text:O(r),sentAt:a}}var g=i=>({...i,sentAt:new Date(i.sentAt)}),O=i=>i.replace(/\p{Surrogate}/gu,"�");var Q=10,x=class{constructor(t){this.#e=t,this.element=n("div",{class:"composer",part:"composer"},n("div",{class:"inner"},this.#o,n("div",{class:"line"},this.#t,this.#r),n("div",{class:"foot"},this.error.element,this.#a))),this.#t.addEventListener("beforeinput",e=>this.#s(e)),this.#t.addEventListener("input",e=>this.#i(e.isComposing)),this.#t.addEventListener("compositionend",()=>this.#i(!1)),this.#t.addEventListener("keydown",e=>this.#c(e)),this.#r.addEventListener("mousedown",e=>e.preventDefault()),this.#r.addEventListener("click",()=>t.onSend())}#e;#t=n("textarea",{class:"field",part:"field",id:"field",rows:1,enterkeyhint:"send",autocomplete:"off","aria-describedby":"counter"});#o=n("label",{class:"unseen",for:"field"});#r=n("button",{class:"send idle",part:"send",type:"button"},C());#a=n("span",{class:"counter",part:"counter",id:"counter"});error=new f;#n="";get text(){return this.#t.value}set text(t){this.#t.value=t,this.#n=t,this.count(),this.fit()}focus(t){this.#t.focus(t)}write(){let{message:t,send:e}=this.#e.texts().words;c(this.#o,t),this.#t.placeholder=t,this.#r.setAttribute("aria-label",e),this.#r.title=e,this.count()}count(){let t=L(this.#t.value,this.#e.maxLength());c(this.#a,this.#e.texts().left(t)),this.#a.classList.toggle("low",t<=Q),this.#r.classList.toggle("idle",m(this.#t.value)),this.#t.dir=this.#t.value?"auto":this.#e.isRightToLeft()?"rtl":"ltr"}fit(){this.#t.style.removeProperty("block-size");let{scrollHeight:t,offsetHeight:e,clientHeight:s}=this.#t;t>s&&this.#t.style.setProperty("block-size",`${t+e-s}px`)}#s(t){if(t.isComposing||!t.inputType.startsWith("insert"))return;let{value:e,selectionStart:s,selectionEnd:r}=this.#t,a=t.inputType==="insertLineBreak"||t.inputType==="insertParagraph"?`
`:t.data??t.dataTransfer?.getData("text/plain")??"",l=e.length-(r-s)+a.replace(/\r\n?/g,`
`).length,h=this.#e.maxLength();z(l,e.length,h)||(t.preventDefault(),this.#h(l-h,a.length>1))}#i(t){let{value:e,selectionEnd:s}=this.#t,r=this.#e.maxLength();if(!t&&!z(e.length,this.#n.length,r)){let o=Math.max(0,s-(e.length-this.#n.length));this.#t.value=this.#n,this.#t.setSelectionRange(o,o),this.#h(e.length-r,!0)}t||(this.#n=this.#t.value),this.count(),this.fit()}#h(t,e){let s=this.#e.texts();e?this.error.show(s.tooLong(t)):this.#e.announce(s.left(L(this.#t.value,this.#e.maxLength())))}#c(t){let e=t.isComposing||t.keyCode===229;t.key!=="Enter"||t.shiftKey||t.altKey||t.ctrlKey||t.metaKey||e||(t.preventDefault(),t.repeat||this.#e.onSend())}};var d="messagereadytosend",w=class extends CustomEvent{constructor(t){super(d,{cancelable:!0,bubbles:!0,composed:!0});let e=g(t);Object.defineProperty(this,"detail",{get:()=>(this.#e=!0,e)})}#e=!1;#t=!1;#o=null;respondWith(t){if(this.#o||this.#t)throw new DOMException("The message was answered before.","InvalidStateError");this.#o=Promise.resolve(t).then(e=>e!==!1,()=>!1)}finish(t){return this.#t=!0,this.defaultPrevented||!t&&!this.#e&&!this.#o?!1:this.#o??!0}};function R(i){for(let t=i;t;){let e=t.closest("[lang]");if(e)return e.getAttribute("lang")||"en";let s=t.getRootNode();t=s instanceof ShadowRoot?s.host:null}return"en"}var b=300,v=100,Y=80,F=800,y=class{constructor({label:t,makeRow:e,updateRow:s,onChange:r}){this.#e=e,this.#t=s,this.#o=r,this.#r=n("ul",{role:"list",class:"rows",hidden:!0}),this.element=n("div",{class:"list",part:"list",role:"group",tabindex:"0","aria-label":t},this.#r),this.element.addEventListener("scroll",()=>this.#x(),{passive:!0}),this.element.addEventListener("keydown",o=>this.#z(o)),this.#r.addEventListener("animationend",o=>{o.target.classList.remove("fresh")}),this.#a=new ResizeObserver(()=>this.#k())}#e;#t;#o;#r;#a;rows=[];isFollowing=!0;newCount=0;#n=0;#s=0;#i=new Map;#h=new Set;#c=!1;#d=0;#u="";#l=null;start(){this.#a.observe(this.element),this.#a.observe(this.#r),this.place()}stop(){this.#a.disconnect()}add(t){this.#g(),this.rows.push(t),this.#h.add(t),this.#s===this.rows.length-1&&(this.isFollowing||this.#s-this.#n<b)&&(this.#s+=1),this.#n=Math.max(this.#n,this.#s-b),this.isFollowing||(this.newCount+=1)}remove(t){let e=this.rows.indexOf(t);e<0||(this.#g(),this.rows.splice(e,1),e<this.#n&&(this.#n-=1),e<this.#s&&(this.#s-=1))}update(t){let e=this.#i.get(t);e&&this.#t(e,t)}updateAll(){for(let[t,e]of this.#i)this.#t(e,t)}goToEnd(){this.#g(),this.#s<this.rows.length&&this.#v(this.rows.length-2*v),this.#y()}goToStart(){this.#v(0),this.#p(),this.element.scrollTop=0,this.#x()}place(){this.element.clientHeight&&(this.#b(),this.#f()),this.#o()}#k(){let{scrollTop:t,clientHeight:e}=this.element;e&&this.#u===this.#m&&Math.abs(t-this.#d)>1?this.#f():this.place()}#b(){let t=this.#l&&this.#i.get(this.#l.row);if(this.isFollowing)this.element.scrollTop=this.element.scrollHeight;else if(this.#l&&t){let e=this.#L(t)-this.#l.top;Math.abs(e)>=1&&(this.element.scrollTop+=e)}this.#d=this.element.scrollTop,this.#u=this.#m}get#m(){return`${this.element.clientWidth} × ${this.element.clientHeight}`}#v(t){this.#n=Math.max(0,t),this.#s=Math.min(this.rows.length,this.#n+2*v)}#g(){this.#c||(this.#c=!0,this.#f(),queueMicrotask(()=>{this.#c=!1,this.#p(),this.#h.clear()}))}#p(){let t=this.isFollowing&&this.#h.size<=3,e=new Set(this.rows.slice(this.#n,this.#s));for(let[r,o]of this.#i)e.has(r)||(o.remove(),this.#i.delete(r));let s=this.#r.firstElementChild;for(let r of e){let o=this.#i.get(r);if(o){s=o.nextElementSibling;continue}o=this.#e(r),t&&this.#h.has(r)&&o.classList.add("fresh"),this.#i.set(r,o),this.#r.insertBefore(o,s)}this.#r.hidden=this.rows.length===0,this.place()}#x(){this.#f();let{scrollTop:t,scrollHeight:e,clientHeight:s}=this.element;!this.isFollowing&&t<F&&this.#n>0?(this.#n=Math.max(0,this.#n-v),this.#s=Math.min(this.#s,this.#n+b),this.#p()):this.#s<this.rows.length&&e-t-s<F?(this.#s=Math.min(this.rows.length,this.#s+v),this.#n=Math.max(this.#n,this.#s-b),this.#p()):this.#o()}#f(){if(!this.element.clientHeight)return;this.#u!==this.#m&&this.#b();let{scrollTop:t,scrollHeight:e,clientHeight:s}=this.element;this.#s===this.rows.length&&e-t-s<=Y?this.#y():t<this.#d-1&&(this.isFollowing=!1),this.#d=t,this.#l=this.isFollowing?null:this.#w()}#y(){this.isFollowing=!0,this.newCount=0}#w(){let[t,e]=[this.#n,this.#s];for(;t<e;){let o=t+e>>1,a=this.#i.get(this.rows[o]);a&&this.#L(a)+a.offsetHeight>0?e=o:t=o+1}let s=this.rows[t],r=s&&this.#i.get(s);return r?{row:s,top:this.#L(r)}:null}#L(t){return t.getBoundingClientRect().top-this.element.getBoundingClientRect().top}#z(t){if(!(t.altKey||t.shiftKey||t.metaKey||t.target!==this.element)){if(t.key==="Home")this.goToStart();else if(t.key==="End")this.goToEnd();else return;t.preventDefault()}}};function E(i,{message:t,isSent:e,isGrouped:s,isSending:r},o){let a=`${e?"sent":"received"} ${s?"grouped":"whole"}`;i.className=`row ${a}`,i.setAttribute("part",`row ${a}`);let l=()=>n("time",{part:"time",datetime:t.sentAt.toISOString(),title:o.whole(t.sentAt)},o.clock(t.sentAt)),h=t.alias&&n("bdi",{class:"name",part:"name"},t.alias);return i.replaceChildren(),s||i.append(n("div",{class:"head"},h||null,l())),i.append(n("div",{class:"bubble",part:"bubble"},n("p",{class:"text",part:"text",dir:"auto"},t.text))),r&&i.append(n("span",{class:"status",part:"status"},o.words.sending)),i}var J=`
  color-scheme: light;
  --accent: var(--roost-accent, #0b6e5f);
  --on-accent: var(--roost-on-accent, #ffffff);
  --surface: var(--roost-surface, #ffffff);
  --surface-2: var(--roost-surface-2, #f3f5f4);
  --text: var(--roost-text, #15201e);
  --text-2: var(--roost-text-2, #55625f);
  --line: var(--roost-line, #dde3e1);
  --own: var(--roost-own, #e0f1ed);
  --danger: var(--roost-danger, #b3261e);
`,B=`
  color-scheme: dark;
  --accent: var(--roost-accent, #3fb8a3);
  --on-accent: var(--roost-on-accent, #04211c);
  --surface: var(--roost-surface, #14181b);
  --surface-2: var(--roost-surface-2, #1d2327);
  --text: var(--roost-text, #e8eeec);
  --text-2: var(--roost-text-2, #a3b1ad);
  --line: var(--roost-line, #2d363a);
  --own: var(--roost-own, #17403a);
  --danger: var(--roost-danger, #ff8a80);
`,P=`
:host { ${J}
  --radius: var(--roost-radius, 12px);
  display: flex; flex-direction: column; box-sizing: border-box; overflow: hidden;
  inline-size: 100%; block-size: 100%; min-inline-size: 0; min-block-size: 0;
  color: var(--text); background: var(--surface); text-align: start;
  font: 400 15px/1.4 var(--roost-font,
    system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif);
  -webkit-text-size-adjust: 100%; -webkit-tap-highlight-color: transparent;
}
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${B} } }
:host([theme="dark"]) { ${B} }
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
p, ul { margin: 0; padding: 0; list-style: none; }
button, textarea { margin: 0; font: inherit; color: inherit; letter-spacing: inherit; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.unseen {
  position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}

.place { position: relative; flex: 1 1 0; min-block-size: 64px; }
.list {
  position: absolute; inset: 0; display: flex; flex-direction: column; overflow: hidden auto; padding: 12px 16px;
  overflow-anchor: none; overscroll-behavior: contain; scrollbar-width: thin;
  scrollbar-color: color-mix(in srgb, var(--text-2) 60%, transparent) transparent;
}
.list:focus-visible { outline-offset: -2px; }
.rows { inline-size: 100%; max-inline-size: 760px; margin: auto auto 0; }
.row { display: flex; flex-direction: column; align-items: flex-start; padding-block-start: 4px; }
.row.sent { align-items: flex-end; }
.row.whole { padding-block-start: 12px; }
.row.whole:not(:first-child) { margin-block-start: 12px; border-block-start: 1px solid var(--line); }
.head {
  display: flex; align-items: baseline; gap: 8px; max-inline-size: 100%; padding: 0 4px 4px; color: var(--text-2);
  font-size: 13px;
}
.name { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600;
  color: var(--text); }
time { flex: none; font-variant-numeric: tabular-nums; }
.bubble {
  max-inline-size: min(88%, 56ch); min-inline-size: 44px; padding: 8px 12px; overflow: clip;
  border: 1px solid transparent; border-radius: var(--radius); background: var(--surface-2);
}
.sent .bubble { background: var(--own); }
.row.whole .bubble { border-start-start-radius: 4px; }
.row.whole.sent .bubble { border-start-start-radius: var(--radius); border-start-end-radius: 4px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.status { display: flex; align-items: center; gap: 6px; padding: 4px 4px 0; color: var(--text-2); font-size: 13px; }
.status::before {
  content: ""; inline-size: 11px; block-size: 11px; border: 2px solid var(--line); border-top-color: var(--accent);
  border-radius: 50%; animation: turn .8s linear infinite;
}
.fresh { animation: rise .16s cubic-bezier(.2, .7, .2, 1); }
.empty {
  position: absolute; inset: 0; display: grid; place-content: center; padding: 24px; text-align: center;
  color: var(--text-2); pointer-events: none;
}

.banner {
  position: absolute; inset-inline: 0; inset-block-end: 12px; inline-size: fit-content;
  max-inline-size: calc(100% - 24px); min-block-size: 44px; margin: 0 auto; padding: 8px 16px;
  display: flex; align-items: center; gap: 8px; cursor: pointer; touch-action: manipulation;
  border: 1px solid transparent; border-radius: 22px; color: var(--on-accent); background: var(--accent);
  font-weight: 600; box-shadow: 0 4px 16px #0003;
  transition: opacity .3s, display .3s allow-discrete;
}
@starting-style { .banner { opacity: 0; } }
.banner[hidden] { opacity: 0; pointer-events: none; }
svg { flex: none; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }

.composer { flex: none; border-block-start: 1px solid var(--line); }
.inner {
  inline-size: 100%; max-inline-size: 792px; margin: 0 auto;
  padding: 8px 16px max(8px, env(safe-area-inset-bottom, 0px));
}
.line { display: flex; align-items: flex-end; gap: 8px; }
.field {
  flex: 1; min-inline-size: 0; block-size: 44px; max-block-size: 148px; padding: 10px 14px; resize: none;
  overflow: auto; scrollbar-width: thin; border: 1px solid color-mix(in srgb, var(--text-2) 70%, var(--surface));
  border-radius: 22px; background: var(--surface); font-size: 16px; line-height: 22px;
}
.field::placeholder { color: var(--text-2); opacity: 1; }
.field:focus-visible { outline-offset: -1px; }
.send {
  flex: none; display: grid; place-items: center; inline-size: 44px; block-size: 44px; padding: 0; cursor: pointer;
  touch-action: manipulation; border: 1px solid transparent; border-radius: 50%; color: var(--on-accent);
  background: var(--accent); transition: background-color .12s, color .12s;
}
.send.idle { color: var(--text-2); background: var(--surface-2); }
@media (hover: hover) { .send:not(.idle):hover, .banner:hover { filter: brightness(1.08); } }
.foot {
  display: flex; flex-wrap: wrap; align-items: flex-start; align-content: flex-start; column-gap: 16px;
  min-block-size: 26px; padding: 4px 8px 0; font-size: 13px;
}
.error { flex: 1 1 220px; min-inline-size: 0; color: var(--danger); font-weight: 600; transition: opacity .5s; }
.error p { display: flex; align-items: flex-start; gap: 6px; animation: fade .5s; }
.error svg { inline-size: 16px; block-size: 16px; margin-block-start: 1px; }
.error:lang(ko) { word-break: keep-all; overflow-wrap: anywhere; }
.error.leaving { opacity: 0; }
.counter { flex: none; margin-inline-start: auto; color: var(--text-2); text-align: end;
  font-variant-numeric: tabular-nums; }
.counter.low { color: var(--danger); font-weight: 600; }

@keyframes turn { to { transform: rotate(1turn); } }
@keyframes rise { from { opacity: 0; transform: translateY(6px); } }
@keyframes fade { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) {
  *, ::before { animation: none !important; transition: none !important; }
}
@media (forced-colors: active) {
  .banner, .send, .send.idle { border-color: ButtonText; color: ButtonText; background: ButtonFace; }
  .bubble { border-color: CanvasText; }
  .sent .bubble { border-color: Highlight; border-inline-end-width: 4px; }
  :focus-visible { outline-color: Highlight; }
}
`;var W={en:{message:"Message",messages:"Messages",send:"Send",empty:"No messages yet",sending:"Sending…",notSent:"The message was not sent. Try again.",left:{one:"{n} character left",other:"{n} characters left"},tooLong:{one:"The text is {n} character too long.",other:"The text is {n} characters too long."},fresh:{one:"{n} new message",other:"{n} new messages"},said:"{name}: {text}"},de:{message:"Nachricht",messages:"Nachrichten",send:"Senden",empty:"Noch keine Nachrichten",sending:"Wird gesendet …",notSent:"Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal.",left:{other:"Noch {n} Zeichen"},tooLong:{other:"Der Text ist {n} Zeichen zu lang."},fresh:{one:"{n} neue Nachricht",other:"{n} neue Nachrichten"},said:"{name}: {text}"},"zh-Hant":{message:"訊息",messages:"訊息列表",send:"傳送",empty:"還沒有訊息",sending:"傳送中…",notSent:"訊息未送出，請再試一次。",left:{other:"還可以輸入 {n} 個字"},tooLong:{other:"文字超出上限 {n} 個字。"},fresh:{other:"{n} 則新訊息"},said:"{name}：{text}"},ko:{message:"메시지",messages:"메시지 목록",send:"보내기",empty:"아직 메시지가 없습니다",sending:"보내는 중…",notSent:"메시지를 보내지 못했습니다. 다시 시도해 주세요.",left:{other:"{n}자 남음"},tooLong:{other:"제한보다 {n}자 더 깁니다."},fresh:{other:"새 메시지 {n}개"},said:"{name}: {text}"},ar:{message:"رسالة",messages:"الرسائل",send:"إرسال",empty:"لا توجد رسائل بعد",sending:"جارٍ الإرسال…",notSent:"لم تُرسَل الرسالة. حاول مرة أخرى.",left:{zero:"لم يتبقَّ أي حرف",one:"بقي حرف واحد",two:"بقي حرفان",few:"بقيت {n} أحرف",many:"بقي {n} حرفًا",other:"بقي {n} حرف"},tooLong:{one:"النص أطول من المسموح بحرف واحد.",two:"النص أطول من المسموح بحرفين.",few:"النص أطول من المسموح بمقدار {n} أحرف.",many:"النص أطول من المسموح بمقدار {n} حرفًا.",other:"النص أطول من المسموح بمقدار {n} حرف."},fresh:{one:"رسالة جديدة واحدة",two:"رسالتان جديدتان",few:"{n} رسائل جديدة",many:"{n} رسالة جديدة",other:"{n} رسالة جديدة"},said:"{name}: {text}"}};function $(i){let t=i.toLowerCase().split("-")[0];return t==="zh"?"zh-Hant":Object.hasOwn(W,t)?t:"en"}var u=class{constructor(t){this.language=$(t),this.words=W[this.language];let e=X(t)&&$(t)===t.toLowerCase().split("-")[0]?t:this.language;this.#e=new Intl.PluralRules(this.language),this.#t=new Intl.NumberFormat(e,{useGrouping:!1}),this.#o=new Intl.DateTimeFormat(e,{hour:"2-digit",minute:"2-digit"}),this.#r=new Intl.DateTimeFormat(e,{dateStyle:"full",timeStyle:"short"})}#e;#t;#o;#r;left(t){return this.#a(this.words.left,t)}tooLong(t){return this.#a(this.words.tooLong,t)}fresh(t){return this.#a(this.words.fresh,t)}said(t,e){return t?j(this.words.said,{name:t,text:e}):e}clock(t){return this.#o.format(t)}whole(t){return this.#r.format(t)}#a(t,e){return j(t[this.#e.select(e)]??t.other,{n:this.#t.format(e)})}},j=(i,t)=>i.replace(/\{(\w+)\}/g,(e,s)=>t[s]);function X(i){try{return Intl.NumberFormat.supportedLocalesOf(i).length===1}catch{return!1}}var K=globalThis.CSSStyleSheet&&new CSSStyleSheet;K?.replaceSync(P);var M=class extends(globalThis.HTMLElement??Object){static get observedAttributes(){return["max-length","lang"]}#e=new u("en");#t=this.#e.words;#o=n("p",{class:"empty",part:"empty"});#r=n("span");#a=n("button",{class:"banner",part:"banner",type:"button",hidden:!0},this.#r,N());#n=new p(()=>this.#e);#s=new x({texts:()=>this.#e,maxLength:()=>this.maxLength,isRightToLeft:()=>this.matches(":dir(rtl)"),onSend:()=>this.#k(),announce:t=>this.#n.note(t)});#i=new y({label:this.#t.messages,makeRow:t=>E(n("li"),t,this.#e),updateRow:(t,e)=>E(t,e,this.#e),onChange:()=>this.#g()});#h=new MutationObserver(()=>this.#p());#c=new ResizeObserver(()=>this.#s.fit());#d=!1;#u=new Set;#l=null;constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[K],t.append(n("div",{class:"place"},this.#i.element,this.#o,this.#a),this.#s.element,this.#n.element),this.#a.addEventListener("click",()=>this.#i.goToEnd()),this.#f()}connectedCallback(){for(let t of["senderID","senderId","alias","maxLength","onmessagereadytosend"])this.#y(t);this.#p(),this.#h.observe(this.ownerDocument,{subtree:!0,attributes:!0,attributeFilter:["lang","dir"]}),this.#n.start(),this.#i.start(),this.#c.observe(this),this.#s.error.start()}disconnectedCallback(){this.#h.disconnect(),this.#n.stop(),this.#i.stop(),this.#c.disconnect(),this.#s.error.stop()}attributeChangedCallback(t){t==="lang"?this.#p():this.#s.count()}get senderID(){return this.getAttribute("sender-id")}set senderID(t){this.#w("sender-id",t)}get senderId(){return this.senderID}set senderId(t){this.senderID=t}get alias(){return this.getAttribute("alias")??""}set alias(t){this.#w("alias",t)}get maxLength(){return H(this.getAttribute("max-length"))}set maxLength(t){this.#w("max-length",t)}get messages(){return this.#i.rows.map(t=>g(t.message))}get onmessagereadytosend(){return this.#l}set onmessagereadytosend(t){this.#l&&this.removeEventListener(d,this.#l),this.#l=typeof t=="function"?t:null,this.#l&&this.addEventListener(d,this.#l)}addMessage(t){let e=T(t),s=e.senderID!==null&&e.senderID===this.senderID;this.#m({message:e,isSent:s,isGrouped:!1,isSending:!1}),s||this.#n.message(e)}focus(t){this.#s.focus(t)}addEventListener(t,e,s){let r=typeof s=="object"?s.signal:void 0;t===d&&e&&!r?.aborted&&(this.#u.add(e),r?.addEventListener("abort",()=>this.#u.delete(e),{once:!0})),super.addEventListener(t,e,s)}removeEventListener(t,e,s){t===d&&this.#u.delete(e),super.removeEventListener(t,e,s)}async#k(){let{text:t,error:e}=this.#s;if(this.#d||m(t))return;let s=t.length-this.maxLength;if(s>0)return e.show(this.#e.tooLong(s));let r=T({senderID:this.senderID,alias:this.alias,text:t}),o=new w(r);this.dispatchEvent(o);let a=o.finish(this.#u.size>0);if(a===!1)return e.show(this.#t.notSent);let l={message:r,isSent:!0,isGrouped:!1,isSending:a!==!0};if(this.#i.goToEnd(),this.#m(l),this.#s.text="",e.hide(),a===!0)return;this.#d=!0;let h=await a;this.#d=!1,l.isSending=!1,h?this.#i.update(l):this.#b(l)}#b(t){let e=this.#i.rows.indexOf(t);this.#i.remove(t),this.#v(e),this.#s.text||(this.#s.text=t.message.text),this.#s.error.show(this.#t.notSent)}#m(t){t.isGrouped=S(t,this.#i.rows.at(-1)),this.#i.add(t)}#v(t){let e=this.#i.rows[t];e&&(e.isGrouped=S(e,this.#i.rows[t-1]),this.#i.update(e))}#g(){let{newCount:t,rows:e}=this.#i;this.#o.hidden=e.length>0,t>0&&c(this.#r,this.#e.fresh(t)),t===0&&this.shadowRoot?.activeElement===this.#a&&this.#i.element.focus({preventScroll:!0}),this.#a.hidden=t===0}#p(){let t=R(this);if(t===this.#x)return this.#s.count();this.#x=t,this.#e=new u(t),this.#t=this.#e.words,this.#f(),this.#i.updateAll()}#x="en";#f(){let{messages:t,empty:e}=this.#t;c(this.#o,e),this.#i.element.setAttribute("aria-label",t),this.#g(),this.#s.write()}#y(t){if(!Object.hasOwn(this,t))return;let e=this,s=e[t];delete e[t],e[t]=s}#w(t,e){e==null?this.removeAttribute(t):this.setAttribute(t,String(e))}},D=globalThis.customElements;D&&!D.get("roost-text-chat")&&D.define("roost-text-chat",M);export{M as RoostTextChat};
