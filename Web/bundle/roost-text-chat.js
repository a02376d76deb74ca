import{a,d as k}from"./chunks/chunk-Y4HQ7EP4.js";import{a as lt,b as i,c as l,d as b,e as c}from"./chunks/chunk-MRYQ45LQ.js";var Dt=500,Mt=5e3,At=2,ht=200,F=class{constructor(t){this.#e=t,this.element=a("div",{role:"status","aria-live":"polite",class:"unseen"})}#e;#t=[];#r="";#i=!1;#o=!1;#s;start(){this.#i=!0}stop(){this.#i=!1,this.#o=!1,clearTimeout(this.#s),this.#t=[],this.#r="",this.element.replaceChildren()}message(t){this.#i&&(this.#t.push(t),this.#n())}note(t){this.#i&&(this.#r=t,this.#n())}#n(){this.#o||(this.#o=!0,clearTimeout(this.#s),this.#s=setTimeout(()=>this.#a(),Dt))}#a(){this.#o=!1;let t=this.#e(),e=this.#t.length>At?[t.fresh(this.#t.length)]:this.#t.map(({alias:s,text:r})=>t.said(s,Ct(r)));this.#r&&e.push(this.#r),this.#t=[],this.#r="",this.element.replaceChildren(...e.map(s=>a("p",null,s))),this.#s=setTimeout(()=>this.element.replaceChildren(),Mt)}};function Ct(n){return n.length<=ht?n:Array.from(n).slice(0,ht).join("")+"…"}var ct=()=>J("M12 19V5M5 12l7-7 7 7"),dt=()=>J("M12 5v14M5 12l7 7 7-7"),ut=()=>J("M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18");function J(n){let t=document.createElementNS("http://www.w3.org/2000/svg","svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let e=document.createElementNS("http://www.w3.org/2000/svg","path");return e.setAttribute("d",n),t.append(e),t}var Nt=4e3,It=500,R=class{element=a("div",{class:"error",part:"error",role:"alert"});#e=null;#t;show(t){this.element.classList.remove("leaving"),this.element.replaceChildren(a("p",null,ut(),a("span",null,t))),this.#e=Date.now()+Nt,this.start()}start(){if(clearTimeout(this.#t),this.#e===null||!this.element.isConnected)return;let t=()=>{this.element.classList.add("leaving"),this.#t=setTimeout(()=>this.hide(),It)};this.#t=setTimeout(t,Math.max(0,this.#e-Date.now()))}stop(){clearTimeout(this.#t)}hide(){clearTimeout(this.#t),this.#e=null,this.element.classList.remove("leaving"),this.element.replaceChildren()}};function ft(n){let t=n===null||n===""?NaN:Math.trunc(Number(n));return Number.isNaN(t)?1e3:Math.min(Math.max(t,1),8e3)}var X=(n,t)=>Math.max(0,t-n.length),tt=(n,t,e)=>n<=e||n<t,B=n=>!/\P{White_Space}/u.test(n);function et(n,t){return t!==void 0&&n.isSent===t.isSent&&n.message.senderID===t.message.senderID&&n.message.alias===t.message.alias&&n.message.sentAt.getTime()-t.message.sentAt.getTime()<12e4}function st(n,t=Date.now){let{senderID:e=null,alias:s="",text:r,sentAt:o}=n;if(typeof r!="string")throw new TypeError("The text of a message must be a string.");if(e!==null&&typeof e!="string")throw new TypeError("A senderID must be a string or null.");if(s!==null&&typeof s!="string")throw new TypeError("An alias must be a string.");let u=new Date(o??t());if(Number.isNaN(u.getTime()))throw new TypeError("sentAt must be a time.");return{senderID:e,alias:pt(s??""),text:pt(r),sentAt:u}}var P=n=>({...n,sentAt:new Date(n.sentAt)}),pt=n=>n.replace(/\p{Surrogate}/gu,"�");var Ot=10,$=class{constructor(t){this.#e=t,this.element=a("div",{class:"composer",part:"composer"},a("div",{class:"inner"},this.#r,a("div",{class:"line"},this.#t,this.#i),a("div",{class:"foot"},this.error.element,this.#o))),this.#t.addEventListener("beforeinput",e=>this.#n(e)),this.#t.addEventListener("input",e=>this.#a(e.isComposing)),this.#t.addEventListener("compositionend",()=>this.#a(!1)),this.#t.addEventListener("keydown",e=>this.#h(e)),this.#i.addEventListener("mousedown",e=>e.preventDefault()),this.#i.addEventListener("click",()=>t.onSend())}#e;#t=a("textarea",{class:"field",part:"field",id:"field",rows:1,enterkeyhint:"send",autocomplete:"off","aria-describedby":"counter"});#r=a("label",{class:"unseen",for:"field"});#i=a("button",{class:"send idle",part:"send",type:"button"},ct());#o=a("span",{class:"counter",part:"counter",id:"counter"});error=new R;#s="";get text(){return this.#t.value}set text(t){this.#t.value=t,this.#s=t,this.count(),this.fit()}focus(t){this.#t.focus(t)}write(){let{message:t,send:e}=this.#e.texts().words;k(this.#r,t),this.#t.placeholder=t,this.#i.setAttribute("aria-label",e),this.#i.title=e,this.count()}count(){let t=X(this.#t.value,this.#e.maxLength());k(this.#o,this.#e.texts().left(t)),this.#o.classList.toggle("low",t<=Ot),this.#i.classList.toggle("idle",B(this.#t.value)),this.#t.dir=this.#t.value?"auto":this.#e.isRightToLeft()?"rtl":"ltr"}fit(){this.#t.style.removeProperty("block-size");let{scrollHeight:t,offsetHeight:e,clientHeight:s}=this.#t;t>s&&this.#t.style.setProperty("block-size",`${t+e-s}px`)}#n(t){if(t.isComposing||!t.inputType.startsWith("insert"))return;let{value:e,selectionStart:s,selectionEnd:r}=this.#t,u=t.inputType==="insertLineBreak"||t.inputType==="insertParagraph"?`
`:t.data??t.dataTransfer?.getData("text/plain")??"",f=e.length-(r-s)+u.replace(/\r\n?/g,`
`).length,m=this.#e.maxLength();tt(f,e.length,m)||(t.preventDefault(),this.#l(f-m,u.length>1))}#a(t){let{value:e,selectionEnd:s}=this.#t,r=this.#e.maxLength();if(!t&&!tt(e.length,this.#s.length,r)){let o=Math.max(0,s-(e.length-this.#s.length));this.#t.value=this.#s,this.#t.setSelectionRange(o,o),this.#l(e.length-r,!0)}t||(this.#s=this.#t.value),this.count(),this.fit()}#l(t,e){let s=this.#e.texts();e?this.error.show(s.tooLong(t)):this.#e.announce(s.left(X(this.#t.value,this.#e.maxLength())))}#h(t){let e=t.isComposing||t.keyCode===229;t.key!=="Enter"||t.shiftKey||t.altKey||t.ctrlKey||t.metaKey||e||(t.preventDefault(),t.repeat||this.#e.onSend())}};var L="messagereadytosend",j=class extends CustomEvent{constructor(t){super(L,{cancelable:!0,bubbles:!0,composed:!0});let e=P(t);Object.defineProperty(this,"detail",{get:()=>(this.#e=!0,e)})}#e=!1;#t=!1;#r=null;respondWith(t){if(this.#r||this.#t)throw new DOMException("The message was answered before.","InvalidStateError");this.#r=Promise.resolve(t).then(e=>e!==!1,()=>!1)}finish(t){return this.#t=!0,this.defaultPrevented||!t&&!this.#e&&!this.#r?!1:this.#r??!0}};function mt(n){for(let t=n;t;){let e=t.closest("[lang]");if(e)return e.getAttribute("lang")||"en";let s=t.getRootNode();t=s instanceof ShadowRoot?s.host:null}return"en"}var W=300,K=100,Ht=80,gt=800,_=class{constructor({label:t,makeRow:e,updateRow:s,onChange:r}){this.#e=e,this.#t=s,this.#r=r,this.#i=a("ul",{role:"list",class:"rows",hidden:!0}),this.element=a("div",{class:"list",part:"list",role:"group",tabindex:"0","aria-label":t},this.#i),this.element.addEventListener("scroll",()=>this.#v(),{passive:!0}),this.element.addEventListener("keydown",o=>this.#z(o)),this.#i.addEventListener("animationend",o=>{o.target.classList.remove("fresh")}),this.#o=new ResizeObserver(()=>this.#k())}#e;#t;#r;#i;#o;rows=[];isFollowing=!0;newCount=0;#s=0;#n=0;#a=new Map;#l=new Set;#h=!1;#d=0;#f="";#c=null;start(){this.#o.observe(this.element),this.#o.observe(this.#i),this.place()}stop(){this.#o.disconnect()}add(t){this.#g(),this.rows.push(t),this.#l.add(t),this.#n===this.rows.length-1&&(this.isFollowing||this.#n-this.#s<W)&&(this.#n+=1),this.#s=Math.max(this.#s,this.#n-W),this.isFollowing||(this.newCount+=1)}remove(t){let e=this.rows.indexOf(t);e<0||(this.#g(),this.rows.splice(e,1),e<this.#s&&(this.#s-=1),e<this.#n&&(this.#n-=1))}update(t){let e=this.#a.get(t);e&&this.#t(e,t)}updateAll(){for(let[t,e]of this.#a)this.#t(e,t)}goToEnd(){this.#g(),this.#n<this.rows.length&&this.#b(this.rows.length-2*K),this.#y()}goToStart(){this.#b(0),this.#u(),this.element.scrollTop=0,this.#v()}place(){this.element.clientHeight&&(this.#w(),this.#p()),this.#r()}#k(){let{scrollTop:t,clientHeight:e}=this.element;e&&this.#f===this.#m&&Math.abs(t-this.#d)>1?this.#p():this.place()}#w(){let t=this.#c&&this.#a.get(this.#c.row);if(this.isFollowing)this.element.scrollTop=this.element.scrollHeight;else if(this.#c&&t){let e=this.#x(t)-this.#c.top;Math.abs(e)>=1&&(this.element.scrollTop+=e)}this.#d=this.element.scrollTop,this.#f=this.#m}get#m(){return`${this.element.clientWidth} × ${this.element.clientHeight}`}#b(t){this.#s=Math.max(0,t),this.#n=Math.min(this.rows.length,this.#s+2*K)}#g(){this.#h||(this.#h=!0,this.#p(),queueMicrotask(()=>{this.#h=!1,this.#u(),this.#l.clear()}))}#u(){let t=this.isFollowing&&this.#l.size<=3,e=new Set(this.rows.slice(this.#s,this.#n));for(let[r,o]of this.#a)e.has(r)||(o.remove(),this.#a.delete(r));let s=this.#i.firstElementChild;for(let r of e){let o=this.#a.get(r);if(o){s=o.nextElementSibling;continue}o=this.#e(r),t&&this.#l.has(r)&&o.classList.add("fresh"),this.#a.set(r,o),this.#i.insertBefore(o,s)}this.#i.hidden=this.rows.length===0,this.place()}#v(){this.#p();let{scrollTop:t,scrollHeight:e,clientHeight:s}=this.element;!this.isFollowing&&t<gt&&this.#s>0?(this.#s=Math.max(0,this.#s-K),this.#n=Math.min(this.#n,this.#s+W),this.#u()):this.#n<this.rows.length&&e-t-s<gt?(this.#n=Math.min(this.rows.length,this.#n+K),this.#s=Math.max(this.#s,this.#n-W),this.#u()):this.#r()}#p(){if(!this.element.clientHeight)return;this.#f!==this.#m&&this.#w();let{scrollTop:t,scrollHeight:e,clientHeight:s}=this.element;this.#n===this.rows.length&&e-t-s<=Ht?this.#y():t<this.#d-1&&(this.isFollowing=!1),this.#d=t,this.#c=this.isFollowing?null:this.#L()}#y(){this.isFollowing=!0,this.newCount=0}#L(){let[t,e]=[this.#s,this.#n];for(;t<e;){let o=t+e>>1,u=this.#a.get(this.rows[o]);u&&this.#x(u)+u.offsetHeight>0?e=o:t=o+1}let s=this.rows[t],r=s&&this.#a.get(s);return r?{row:s,top:this.#x(r)}:null}#x(t){return t.getBoundingClientRect().top-this.element.getBoundingClientRect().top}#z(t){if(!(t.altKey||t.shiftKey||t.metaKey||t.target!==this.element)){if(t.key==="Home")this.goToStart();else if(t.key==="End")this.goToEnd();else return;t.preventDefault()}}};function it(n,{message:t,isSent:e,isGrouped:s,isSending:r},o){let u=`${e?"sent":"received"} ${s?"grouped":"whole"}`;n.className=`row ${u}`,n.setAttribute("part",`row ${u}`);let f=()=>a("time",{part:"time",datetime:t.sentAt.toISOString(),title:o.whole(t.sentAt)},o.clock(t.sentAt)),m=t.alias&&a("bdi",{class:"name",part:"name"},t.alias);return n.replaceChildren(),s||n.append(a("div",{class:"head"},m||null,f())),n.append(a("div",{class:"bubble",part:"bubble"},a("p",{class:"text",part:"text",dir:"auto"},t.text))),r&&n.append(a("span",{class:"status",part:"status"},o.words.sending)),n}var Ft=`
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
`,xt=`
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
`,wt=`
:host { ${Ft}
  --radius: var(--roost-radius, 12px);
  display: flex; flex-direction: column; box-sizing: border-box; overflow: hidden;
  inline-size: 100%; block-size: 100%; min-inline-size: 0; min-block-size: 0;
  color: var(--text); background: var(--surface); text-align: start;
  font: 400 15px/1.4 var(--roost-font,
    system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif);
  -webkit-text-size-adjust: 100%; -webkit-tap-highlight-color: transparent;
}
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${xt} } }
:host([theme="dark"]) { ${xt} }
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
`;var yt={en:{message:"Message",messages:"Messages",send:"Send",empty:"No messages yet",sending:"Sending…",notSent:"The message was not sent. Try again.",left:{one:"{n} character left",other:"{n} characters left"},tooLong:{one:"The text is {n} character too long.",other:"The text is {n} characters too long."},fresh:{one:"{n} new message",other:"{n} new messages"},said:"{name}: {text}"},de:{message:"Nachricht",messages:"Nachrichten",send:"Senden",empty:"Noch keine Nachrichten",sending:"Wird gesendet …",notSent:"Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal.",left:{other:"Noch {n} Zeichen"},tooLong:{other:"Der Text ist {n} Zeichen zu lang."},fresh:{one:"{n} neue Nachricht",other:"{n} neue Nachrichten"},said:"{name}: {text}"},"zh-Hant":{message:"訊息",messages:"訊息列表",send:"傳送",empty:"還沒有訊息",sending:"傳送中…",notSent:"訊息未送出，請再試一次。",left:{other:"還可以輸入 {n} 個字"},tooLong:{other:"文字超出上限 {n} 個字。"},fresh:{other:"{n} 則新訊息"},said:"{name}：{text}"},ko:{message:"메시지",messages:"메시지 목록",send:"보내기",empty:"아직 메시지가 없습니다",sending:"보내는 중…",notSent:"메시지를 보내지 못했습니다. 다시 시도해 주세요.",left:{other:"{n}자 남음"},tooLong:{other:"제한보다 {n}자 더 깁니다."},fresh:{other:"새 메시지 {n}개"},said:"{name}: {text}"},ar:{message:"رسالة",messages:"الرسائل",send:"إرسال",empty:"لا توجد رسائل بعد",sending:"جارٍ الإرسال…",notSent:"لم تُرسَل الرسالة. حاول مرة أخرى.",left:{zero:"لم يتبقَّ أي حرف",one:"بقي حرف واحد",two:"بقي حرفان",few:"بقيت {n} أحرف",many:"بقي {n} حرفًا",other:"بقي {n} حرف"},tooLong:{one:"النص أطول من المسموح بحرف واحد.",two:"النص أطول من المسموح بحرفين.",few:"النص أطول من المسموح بمقدار {n} أحرف.",many:"النص أطول من المسموح بمقدار {n} حرفًا.",other:"النص أطول من المسموح بمقدار {n} حرف."},fresh:{one:"رسالة جديدة واحدة",two:"رسالتان جديدتان",few:"{n} رسائل جديدة",many:"{n} رسالة جديدة",other:"{n} رسالة جديدة"},said:"{name}: {text}"}};function bt(n){let t=n.toLowerCase().split("-")[0];return t==="zh"?"zh-Hant":Object.hasOwn(yt,t)?t:"en"}var D=class{constructor(t){this.language=bt(t),this.words=yt[this.language];let e=Rt(t)&&bt(t)===t.toLowerCase().split("-")[0]?t:this.language;this.#e=new Intl.PluralRules(this.language),this.#t=new Intl.NumberFormat(e,{useGrouping:!1}),this.#r=new Intl.DateTimeFormat(e,{hour:"2-digit",minute:"2-digit"}),this.#i=new Intl.DateTimeFormat(e,{dateStyle:"full",timeStyle:"short"})}#e;#t;#r;#i;left(t){return this.#o(this.words.left,t)}tooLong(t){return this.#o(this.words.tooLong,t)}fresh(t){return this.#o(this.words.fresh,t)}said(t,e){return t?vt(this.words.said,{name:t,text:e}):e}clock(t){return this.#r.format(t)}whole(t){return this.#i.format(t)}#o(t,e){return vt(t[this.#e.select(e)]??t.other,{n:this.#t.format(e)})}},vt=(n,t)=>n.replace(/\{(\w+)\}/g,(e,s)=>t[s]);function Rt(n){try{return Intl.NumberFormat.supportedLocalesOf(n).length===1}catch{return!1}}var kt=globalThis.CSSStyleSheet&&new CSSStyleSheet;kt?.replaceSync(wt);var p,x,z,M,v,w,d,h,A,C,S,y,g,V,Lt,Z,zt,N,rt,Q,St,I,ot,T,U,O,H,at,Y,Tt,E,q,G=class extends(globalThis.HTMLElement??Object){constructor(){super();l(this,V);l(this,Z);l(this,N);l(this,Q);l(this,I);l(this,T);l(this,H);l(this,Y);l(this,E);l(this,p,new D("en"));l(this,x,i(this,p).words);l(this,z,a("p",{class:"empty",part:"empty"}));l(this,M,a("span"));l(this,v,a("button",{class:"banner",part:"banner",type:"button",hidden:!0},i(this,M),dt()));l(this,w,new F(()=>i(this,p)));l(this,d,new $({texts:()=>i(this,p),maxLength:()=>this.maxLength,isRightToLeft:()=>this.matches(":dir(rtl)"),onSend:()=>c(this,V,Lt).call(this),announce:e=>i(this,w).note(e)}));l(this,h,new _({label:i(this,x).messages,makeRow:e=>it(a("li"),e,i(this,p)),updateRow:(e,s)=>it(e,s,i(this,p)),onChange:()=>c(this,I,ot).call(this)}));l(this,A,new MutationObserver(()=>c(this,T,U).call(this)));l(this,C,new ResizeObserver(()=>i(this,d).fit()));l(this,S,!1);l(this,y,new Set);l(this,g,null);l(this,O,"en");let e=this.attachShadow({mode:"open"});e.adoptedStyleSheets=[kt],e.append(a("div",{class:"place"},i(this,h).element,i(this,z),i(this,v)),i(this,d).element,i(this,w).element),i(this,v).addEventListener("click",()=>i(this,h).goToEnd()),c(this,H,at).call(this)}connectedCallback(){for(let e of["senderID","senderId","alias","maxLength","onmessagereadytosend"])c(this,Y,Tt).call(this,e);c(this,T,U).call(this),i(this,A).observe(this.ownerDocument,{subtree:!0,attributes:!0,attributeFilter:["lang","dir"]}),i(this,w).start(),i(this,h).start(),i(this,C).observe(this),i(this,d).error.start()}disconnectedCallback(){i(this,A).disconnect(),i(this,w).stop(),i(this,h).stop(),i(this,C).disconnect(),i(this,d).error.stop()}attributeChangedCallback(e){e==="lang"?c(this,T,U).call(this):i(this,d).count()}get senderID(){return this.getAttribute("sender-id")}set senderID(e){c(this,E,q).call(this,"sender-id",e)}get senderId(){return this.senderID}set senderId(e){this.senderID=e}get alias(){return this.getAttribute("alias")??""}set alias(e){c(this,E,q).call(this,"alias",e)}get maxLength(){return ft(this.getAttribute("max-length"))}set maxLength(e){c(this,E,q).call(this,"max-length",e)}get messages(){return i(this,h).rows.map(e=>P(e.message))}get onmessagereadytosend(){return i(this,g)}set onmessagereadytosend(e){i(this,g)&&this.removeEventListener(L,i(this,g)),b(this,g,typeof e=="function"?e:null),i(this,g)&&this.addEventListener(L,i(this,g))}addMessage(e){let s=st(e),r=s.senderID!==null&&s.senderID===this.senderID;c(this,N,rt).call(this,{message:s,isSent:r,isGrouped:!1,isSending:!1}),r||i(this,w).message(s)}focus(e){i(this,d).focus(e)}addEventListener(e,s,r){let o=typeof r=="object"?r.signal:void 0;e===L&&s&&!o?.aborted&&(i(this,y).add(s),o?.addEventListener("abort",()=>i(this,y).delete(s),{once:!0})),super.addEventListener(e,s,r)}removeEventListener(e,s,r){e===L&&i(this,y).delete(s),super.removeEventListener(e,s,r)}};p=new WeakMap,x=new WeakMap,z=new WeakMap,M=new WeakMap,v=new WeakMap,w=new WeakMap,d=new WeakMap,h=new WeakMap,A=new WeakMap,C=new WeakMap,S=new WeakMap,y=new WeakMap,g=new WeakMap,V=new WeakSet,Lt=async function(){let{text:e,error:s}=i(this,d);if(i(this,S)||B(e))return;let r=e.length-this.maxLength;if(r>0)return s.show(i(this,p).tooLong(r));let o=st({senderID:this.senderID,alias:this.alias,text:e}),u=new j(o);this.dispatchEvent(u);let f=u.finish(i(this,y).size>0);if(f===!1)return s.show(i(this,x).notSent);let m={message:o,isSent:!0,isGrouped:!1,isSending:f!==!0};if(i(this,h).goToEnd(),c(this,N,rt).call(this,m),i(this,d).text="",s.hide(),f===!0)return;b(this,S,!0);let Et=await f;b(this,S,!1),m.isSending=!1,Et?i(this,h).update(m):c(this,Z,zt).call(this,m)},Z=new WeakSet,zt=function(e){let s=i(this,h).rows.indexOf(e);i(this,h).remove(e),c(this,Q,St).call(this,s),i(this,d).text||(i(this,d).text=e.message.text),i(this,d).error.show(i(this,x).notSent)},N=new WeakSet,rt=function(e){e.isGrouped=et(e,i(this,h).rows.at(-1)),i(this,h).add(e)},Q=new WeakSet,St=function(e){let s=i(this,h).rows[e];s&&(s.isGrouped=et(s,i(this,h).rows[e-1]),i(this,h).update(s))},I=new WeakSet,ot=function(){let{newCount:e,rows:s}=i(this,h);i(this,z).hidden=s.length>0,e>0&&k(i(this,M),i(this,p).fresh(e)),e===0&&this.shadowRoot?.activeElement===i(this,v)&&i(this,h).element.focus({preventScroll:!0}),i(this,v).hidden=e===0},T=new WeakSet,U=function(){let e=mt(this);if(e===i(this,O))return i(this,d).count();b(this,O,e),b(this,p,new D(e)),b(this,x,i(this,p).words),c(this,H,at).call(this),i(this,h).updateAll()},O=new WeakMap,H=new WeakSet,at=function(){let{messages:e,empty:s}=i(this,x);k(i(this,z),s),i(this,h).element.setAttribute("aria-label",e),c(this,I,ot).call(this),i(this,d).write()},Y=new WeakSet,Tt=function(e){if(!Object.hasOwn(this,e))return;let s=this,r=s[e];delete s[e],s[e]=r},E=new WeakSet,q=function(e,s){s==null?this.removeAttribute(e):this.setAttribute(e,String(s))},lt(G,"observedAttributes",["max-length","lang"]);var nt=globalThis.customElements;nt&&!nt.get("roost-text-chat")&&nt.define("roost-text-chat",G);export{G as RoostTextChat};
