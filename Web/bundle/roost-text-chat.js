import{a as h,d as F}from"./chunks/chunk-FGL23BOC.js";import{a as Ne,b as s,c as o,d as f,e as r}from"./chunks/chunk-MRYQ45LQ.js";var Je=500,Xe=5e3,et=2,Ie=200,te=class{constructor(t){this.#o=t,this.element=h("div",{role:"status","aria-live":"polite",class:"unseen"})}#o;#i=[];#s="";#n=!1;#r=!1;#e;start(){this.#n=!0}stop(){this.#n=!1,this.#r=!1,clearTimeout(this.#e),this.#i=[],this.#s="",this.element.replaceChildren()}message(t){this.#n&&(this.#i.push(t),this.#t())}note(t){this.#n&&(this.#s=t,this.#t())}#t(){this.#r||(this.#r=!0,clearTimeout(this.#e),this.#e=setTimeout(()=>this.#a(),Je))}#a(){this.#r=!1;let t=this.#o(),e=this.#i.length>et?[t.fresh(this.#i.length)]:this.#i.map(({alias:i,text:n})=>t.said(i,tt(n)));this.#s&&e.push(this.#s),this.#i=[],this.#s="",this.element.replaceChildren(...e.map(i=>h("p",null,i))),this.#e=setTimeout(()=>this.element.replaceChildren(),Xe)}};function tt(a){return a.length<=Ie?a:Array.from(a).slice(0,Ie).join("")+"…"}function Fe(a){let t=a===null||a===""?NaN:Math.trunc(Number(a));return Number.isNaN(t)?1e3:Math.min(Math.max(t,1),8e3)}var me=(a,t)=>Math.max(0,t-a.length),xe=(a,t,e)=>a<=e||a<t,be=a=>!/\P{White_Space}/u.test(a);function we(a,t){return t!==void 0&&a.isSent===t.isSent&&a.message.senderID===t.message.senderID&&a.message.alias===t.message.alias&&a.message.sentAt.getTime()-t.message.sentAt.getTime()<12e4}function ve(a,t=Date.now){let{senderID:e=null,alias:i="",text:n,sentAt:l}=a;if(typeof n!="string")throw new TypeError("The text of a message must be a string.");if(e!==null&&typeof e!="string")throw new TypeError("A senderID must be a string or null.");if(i!==null&&typeof i!="string")throw new TypeError("An alias must be a string.");let u=new Date(l??t());if(Number.isNaN(u.getTime()))throw new TypeError("sentAt must be a time.");return{senderID:e,alias:Oe(i??""),text:Oe(n),sentAt:u}}var se=a=>({...a,sentAt:new Date(a.sentAt)}),Oe=a=>a.replace(/\p{Surrogate}/gu,"�");var M="messagereadytosend",ie=class extends CustomEvent{constructor(t){super(M,{cancelable:!0,bubbles:!0,composed:!0});let e=se(t);Object.defineProperty(this,"detail",{get:()=>(this.#o=!0,e)})}#o=!1;#i=!1;#s=null;respondWith(t){if(this.#s||this.#i)throw new DOMException("The message was answered before.","InvalidStateError");this.#s=Promise.resolve(t).then(e=>e!==!1,()=>!1)}finish(t){return this.#i=!0,this.defaultPrevented||!t&&!this.#o&&!this.#s?!1:this.#s??!0}};var He=()=>ye("M12 19V5M5 12l7-7 7 7"),Re=()=>ye("M12 5v14M5 12l7 7 7-7"),Be=()=>ye("M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18");function ye(a){let t=document.createElementNS("http://www.w3.org/2000/svg","svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let e=document.createElementNS("http://www.w3.org/2000/svg","path");return e.setAttribute("d",a),t.append(e),t}var ne=300,re=100,st=80,Pe=800,oe=class{constructor({label:t,makeRow:e,updateRow:i,onChange:n}){this.#o=e,this.#i=i,this.#s=n,this.#n=h("ul",{role:"list",class:"rows",hidden:!0}),this.element=h("div",{class:"list",part:"list",role:"group",tabindex:"0","aria-label":t},this.#n),this.element.addEventListener("scroll",()=>this.#v(),{passive:!0}),this.element.addEventListener("keydown",l=>this.#L(l)),this.#n.addEventListener("animationend",l=>{l.target.classList.remove("fresh")}),this.#r=new ResizeObserver(()=>this.#k())}#o;#i;#s;#n;#r;rows=[];isFollowing=!0;newCount=0;#e=0;#t=0;#a=new Map;#h=new Set;#p=!1;#c=0;#f="";#l=null;start(){this.#r.observe(this.element),this.#r.observe(this.#n),this.place()}stop(){this.#r.disconnect()}add(t){this.#m(),this.rows.push(t),this.#h.add(t),this.#t===this.rows.length-1&&(this.isFollowing||this.#t-this.#e<ne)&&(this.#t+=1),this.#e=Math.max(this.#e,this.#t-ne),this.isFollowing||(this.newCount+=1)}remove(t){let e=this.rows.indexOf(t);e<0||(this.#m(),this.rows.splice(e,1),e<this.#e&&(this.#e-=1),e<this.#t&&(this.#t-=1))}update(t){let e=this.#a.get(t);e&&this.#i(e,t)}updateAll(){for(let[t,e]of this.#a)this.#i(e,t)}goToEnd(){this.#m(),this.#t<this.rows.length&&this.#w(this.rows.length-2*re),this.#y()}goToStart(){this.#w(0),this.#d(),this.element.scrollTop=0,this.#v()}place(){this.element.clientHeight&&(this.#b(),this.#u()),this.#s()}#k(){let{scrollTop:t,clientHeight:e}=this.element;e&&this.#f===this.#g&&Math.abs(t-this.#c)>1?this.#u():this.place()}#b(){let t=this.#l&&this.#a.get(this.#l.row);if(this.isFollowing)this.element.scrollTop=this.element.scrollHeight;else if(this.#l&&t){let e=this.#x(t)-this.#l.top;Math.abs(e)>=1&&(this.element.scrollTop+=e)}this.#c=this.element.scrollTop,this.#f=this.#g}get#g(){return`${this.element.clientWidth} × ${this.element.clientHeight}`}#w(t){this.#e=Math.max(0,t),this.#t=Math.min(this.rows.length,this.#e+2*re)}#m(){this.#p||(this.#p=!0,this.#u(),queueMicrotask(()=>{this.#p=!1,this.#d(),this.#h.clear()}))}#d(){let t=this.isFollowing&&this.#h.size<=3,e=new Set(this.rows.slice(this.#e,this.#t));for(let[n,l]of this.#a)e.has(n)||(l.remove(),this.#a.delete(n));let i=this.#n.firstElementChild;for(let n of e){let l=this.#a.get(n);if(l){i=l.nextElementSibling;continue}l=this.#o(n),t&&this.#h.has(n)&&l.classList.add("fresh"),this.#a.set(n,l),this.#n.insertBefore(l,i)}this.#n.hidden=this.rows.length===0,this.place()}#v(){this.#u();let{scrollTop:t,scrollHeight:e,clientHeight:i}=this.element;!this.isFollowing&&t<Pe&&this.#e>0?(this.#e=Math.max(0,this.#e-re),this.#t=Math.min(this.#t,this.#e+ne),this.#d()):this.#t<this.rows.length&&e-t-i<Pe?(this.#t=Math.min(this.rows.length,this.#t+re),this.#e=Math.max(this.#e,this.#t-ne),this.#d()):this.#s()}#u(){if(!this.element.clientHeight)return;this.#f!==this.#g&&this.#b();let{scrollTop:t,scrollHeight:e,clientHeight:i}=this.element;this.#t===this.rows.length&&e-t-i<=st?this.#y():t<this.#c-1&&(this.isFollowing=!1),this.#c=t,this.#l=this.isFollowing?null:this.#z()}#y(){this.isFollowing=!0,this.newCount=0}#z(){let[t,e]=[this.#e,this.#t];for(;t<e;){let l=t+e>>1,u=this.#a.get(this.rows[l]);u&&this.#x(u)+u.offsetHeight>0?e=l:t=l+1}let i=this.rows[t],n=i&&this.#a.get(i);return n?{row:i,top:this.#x(n)}:null}#x(t){return t.getBoundingClientRect().top-this.element.getBoundingClientRect().top}#L(t){if(!(t.altKey||t.shiftKey||t.metaKey||t.target!==this.element)){if(t.key==="Home")this.goToStart();else if(t.key==="End")this.goToEnd();else return;t.preventDefault()}}};var it=`
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
`,$e=`
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
`,We=`
:host { ${it}
  --radius: var(--roost-radius, 12px);
  display: flex; flex-direction: column; box-sizing: border-box; overflow: hidden;
  inline-size: 100%; block-size: 100%; min-inline-size: 0; min-block-size: 0;
  color: var(--text); background: var(--surface); text-align: start;
  font: 400 15px/1.4 var(--roost-font,
    system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif);
  -webkit-text-size-adjust: 100%; -webkit-tap-highlight-color: transparent;
}
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${$e} } }
:host([theme="dark"]) { ${$e} }
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
  border-radius: 22px; background: var(--surface); font-size: 16px; line-height: 22px; unicode-bidi: plaintext;
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
`;var je={en:{message:"Message",messages:"Messages",send:"Send",empty:"No messages yet",sending:"Sending…",notSent:"The message was not sent. Try again.",left:{one:"{n} character left",other:"{n} characters left"},tooLong:{one:"The text is {n} character too long.",other:"The text is {n} characters too long."},fresh:{one:"{n} new message",other:"{n} new messages"},said:"{name}: {text}"},de:{message:"Nachricht",messages:"Nachrichten",send:"Senden",empty:"Noch keine Nachrichten",sending:"Wird gesendet …",notSent:"Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal.",left:{other:"Noch {n} Zeichen"},tooLong:{other:"Der Text ist {n} Zeichen zu lang."},fresh:{one:"{n} neue Nachricht",other:"{n} neue Nachrichten"},said:"{name}: {text}"},"zh-Hant":{message:"訊息",messages:"訊息列表",send:"傳送",empty:"還沒有訊息",sending:"傳送中…",notSent:"訊息未送出，請再試一次。",left:{other:"還可以輸入 {n} 個字"},tooLong:{other:"文字超出上限 {n} 個字。"},fresh:{other:"{n} 則新訊息"},said:"{name}：{text}"},ko:{message:"메시지",messages:"메시지 목록",send:"보내기",empty:"아직 메시지가 없습니다",sending:"보내는 중…",notSent:"메시지를 보내지 못했습니다. 다시 시도해 주세요.",left:{other:"{n}자 남음"},tooLong:{other:"제한보다 {n}자 더 깁니다."},fresh:{other:"새 메시지 {n}개"},said:"{name}: {text}"},ar:{message:"رسالة",messages:"الرسائل",send:"إرسال",empty:"لا توجد رسائل بعد",sending:"جارٍ الإرسال…",notSent:"لم تُرسَل الرسالة. حاول مرة أخرى.",left:{zero:"لم يتبقَّ أي حرف",one:"بقي حرف واحد",two:"بقي حرفان",few:"بقيت {n} أحرف",many:"بقي {n} حرفًا",other:"بقي {n} حرف"},tooLong:{one:"النص أطول من المسموح بحرف واحد.",two:"النص أطول من المسموح بحرفين.",few:"النص أطول من المسموح بمقدار {n} أحرف.",many:"النص أطول من المسموح بمقدار {n} حرفًا.",other:"النص أطول من المسموح بمقدار {n} حرف."},fresh:{one:"رسالة جديدة واحدة",two:"رسالتان جديدتان",few:"{n} رسائل جديدة",many:"{n} رسالة جديدة",other:"{n} رسالة جديدة"},said:"{name}: {text}"}};function Ke(a){let t=a.toLowerCase().split("-")[0];return t==="zh"?"zh-Hant":Object.hasOwn(je,t)?t:"en"}var H=class{constructor(t){this.language=Ke(t),this.words=je[this.language];let e=nt(t)&&Ke(t)===t.toLowerCase().split("-")[0]?t:this.language;this.#o=new Intl.PluralRules(this.language),this.#i=new Intl.NumberFormat(e,{useGrouping:!1}),this.#s=new Intl.DateTimeFormat(e,{hour:"2-digit",minute:"2-digit"}),this.#n=new Intl.DateTimeFormat(e,{dateStyle:"full",timeStyle:"short"})}#o;#i;#s;#n;left(t){return this.#r(this.words.left,t)}tooLong(t){return this.#r(this.words.tooLong,t)}fresh(t){return this.#r(this.words.fresh,t)}said(t,e){return t?_e(this.words.said,{name:t,text:e}):e}clock(t){return this.#s.format(t)}whole(t){return this.#n.format(t)}#r(t,e){return _e(t[this.#o.select(e)]??t.other,{n:this.#i.format(e)})}},_e=(a,t)=>a.replace(/\{(\w+)\}/g,(e,i)=>t[i]);function nt(a){try{return Intl.NumberFormat.supportedLocalesOf(a).length===1}catch{return!1}}var rt=4e3,ot=500,at=10,Ge=new CSSStyleSheet;Ge.replaceSync(We);var p,g,c,P,m,D,x,A,$,z,w,d,W,K,v,C,L,y,T,b,_,ke,de,Ue,j,ze,ue,qe,pe,Ve,G,Le,U,Te,q,Se,fe,Ze,S,R,N,le,E,B,V,Ee,Z,Me,Q,De,Y,Ae,I,he,J,X,Ce,ge,Qe,O,ce,ae=class extends HTMLElement{constructor(){super();o(this,_);o(this,de);o(this,j);o(this,ue);o(this,pe);o(this,G);o(this,U);o(this,q);o(this,fe);o(this,S);o(this,N);o(this,E);o(this,V);o(this,Z);o(this,Q);o(this,Y);o(this,I);o(this,X);o(this,ge);o(this,O);o(this,p,new H("en"));o(this,g,s(this,p).words);o(this,c,h("textarea",{class:"field",part:"field",id:"field",rows:1,enterkeyhint:"send",dir:"auto",autocomplete:"off","aria-describedby":"counter"}));o(this,P,h("label",{class:"unseen",for:"field"}));o(this,m,h("button",{class:"send idle",part:"send",type:"button"},He()));o(this,D,h("span",{class:"counter",part:"counter",id:"counter"}));o(this,x,h("div",{class:"error",part:"error",role:"alert"}));o(this,A,h("p",{class:"empty",part:"empty"}));o(this,$,h("span"));o(this,z,h("button",{class:"banner",part:"banner",type:"button",hidden:!0},s(this,$),Re()));o(this,w,new te(()=>s(this,p)));o(this,d,new oe({label:s(this,g).messages,makeRow:e=>r(this,Y,Ae).call(this,h("li"),e),updateRow:(e,i)=>r(this,Y,Ae).call(this,e,i),onChange:()=>r(this,Q,De).call(this)}));o(this,W,new MutationObserver(()=>r(this,I,he).call(this)));o(this,K,new ResizeObserver(()=>r(this,N,le).call(this)));o(this,v,"");o(this,C,!1);o(this,L,null);o(this,y,void 0);o(this,T,new Set);o(this,b,null);o(this,J,"en");let e=this.attachShadow({mode:"open"});e.adoptedStyleSheets=[Ge],e.append(h("div",{class:"place"},s(this,d).element,s(this,A),s(this,z)),h("div",{class:"composer",part:"composer"},h("div",{class:"inner"},s(this,P),h("div",{class:"line"},s(this,c),s(this,m)),h("div",{class:"foot"},s(this,x),s(this,D)))),s(this,w).element),s(this,c).addEventListener("beforeinput",i=>r(this,pe,Ve).call(this,i)),s(this,c).addEventListener("input",i=>r(this,G,Le).call(this,i.isComposing)),s(this,c).addEventListener("compositionend",()=>r(this,G,Le).call(this,!1)),s(this,c).addEventListener("keydown",i=>r(this,fe,Ze).call(this,i)),s(this,m).addEventListener("mousedown",i=>i.preventDefault()),s(this,m).addEventListener("click",()=>r(this,_,ke).call(this)),s(this,z).addEventListener("click",()=>s(this,d).goToEnd()),r(this,X,Ce).call(this)}connectedCallback(){for(let e of["senderID","senderId","alias","maxLength","onmessagereadytosend"])r(this,ge,Qe).call(this,e);r(this,I,he).call(this),s(this,W).observe(this.ownerDocument,{subtree:!0,attributes:!0,attributeFilter:["lang"]}),s(this,w).start(),s(this,d).start(),s(this,K).observe(this),r(this,V,Ee).call(this)}disconnectedCallback(){s(this,W).disconnect(),s(this,w).stop(),s(this,d).stop(),s(this,K).disconnect(),clearTimeout(s(this,y))}attributeChangedCallback(e){e==="lang"?r(this,I,he).call(this):r(this,S,R).call(this)}get senderID(){return this.getAttribute("sender-id")}set senderID(e){r(this,O,ce).call(this,"sender-id",e)}get senderId(){return this.senderID}set senderId(e){this.senderID=e}get alias(){return this.getAttribute("alias")??""}set alias(e){r(this,O,ce).call(this,"alias",e)}get maxLength(){return Fe(this.getAttribute("max-length"))}set maxLength(e){r(this,O,ce).call(this,"max-length",e)}get messages(){return s(this,d).rows.map(e=>se(e.message))}get onmessagereadytosend(){return s(this,b)}set onmessagereadytosend(e){s(this,b)&&this.removeEventListener(M,s(this,b)),f(this,b,typeof e=="function"?e:null),s(this,b)&&this.addEventListener(M,s(this,b))}addMessage(e){let i=ve(e),n=i.senderID!==null&&i.senderID===this.senderID;r(this,j,ze).call(this,{message:i,isSent:n,isGrouped:!1,isSending:!1}),n||s(this,w).message(i)}focus(e){s(this,c).focus(e)}addEventListener(e,i,n){e===M&&i&&!n?.signal?.aborted&&(s(this,T).add(i),n?.signal?.addEventListener("abort",()=>s(this,T).delete(i),{once:!0})),super.addEventListener(e,i,n)}removeEventListener(e,i,n){e===M&&s(this,T).delete(i),super.removeEventListener(e,i,n)}};p=new WeakMap,g=new WeakMap,c=new WeakMap,P=new WeakMap,m=new WeakMap,D=new WeakMap,x=new WeakMap,A=new WeakMap,$=new WeakMap,z=new WeakMap,w=new WeakMap,d=new WeakMap,W=new WeakMap,K=new WeakMap,v=new WeakMap,C=new WeakMap,L=new WeakMap,y=new WeakMap,T=new WeakMap,b=new WeakMap,_=new WeakSet,ke=async function(){if(s(this,C)||be(s(this,c).value))return;let e=s(this,c).value.length-this.maxLength;if(e>0)return r(this,E,B).call(this,s(this,p).tooLong(e));let i=ve({senderID:this.senderID,alias:this.alias,text:s(this,c).value}),n=new ie(i);this.dispatchEvent(n);let l=n.finish(s(this,T).size>0);if(l===!1)return r(this,E,B).call(this,s(this,g).notSent);let u={message:i,isSent:!0,isGrouped:!1,isSending:l!==!0};if(s(this,d).goToEnd(),r(this,j,ze).call(this,u),r(this,q,Se).call(this,""),r(this,Z,Me).call(this),l===!0)return;f(this,C,!0);let k=await l;f(this,C,!1),u.isSending=!1,k?s(this,d).update(u):r(this,de,Ue).call(this,u)},de=new WeakSet,Ue=function(e){let i=s(this,d).rows.indexOf(e);s(this,d).remove(e),r(this,ue,qe).call(this,i),s(this,c).value||r(this,q,Se).call(this,e.message.text),r(this,E,B).call(this,s(this,g).notSent)},j=new WeakSet,ze=function(e){e.isGrouped=we(e,s(this,d).rows.at(-1)),s(this,d).add(e)},ue=new WeakSet,qe=function(e){let i=s(this,d).rows[e];i&&(i.isGrouped=we(i,s(this,d).rows[e-1]),s(this,d).update(i))},pe=new WeakSet,Ve=function(e){if(e.isComposing||!e.inputType.startsWith("insert"))return;let{value:i,selectionStart:n,selectionEnd:l}=s(this,c),k=e.inputType==="insertLineBreak"||e.inputType==="insertParagraph"?`
`:e.data??e.dataTransfer?.getData("text/plain")??"",ee=i.length-(l-n)+k.replace(/\r\n?/g,`
`).length;xe(ee,i.length,this.maxLength)||(e.preventDefault(),r(this,U,Te).call(this,ee-this.maxLength,k.length>1))},G=new WeakSet,Le=function(e){let{value:i,selectionEnd:n}=s(this,c);if(!e&&!xe(i.length,s(this,v).length,this.maxLength)){let l=Math.max(0,n-(i.length-s(this,v).length));s(this,c).value=s(this,v),s(this,c).setSelectionRange(l,l),r(this,U,Te).call(this,i.length-this.maxLength,!0)}e||f(this,v,s(this,c).value),r(this,S,R).call(this),r(this,N,le).call(this)},U=new WeakSet,Te=function(e,i){i?r(this,E,B).call(this,s(this,p).tooLong(e)):s(this,w).note(s(this,p).left(me(s(this,c).value,this.maxLength)))},q=new WeakSet,Se=function(e){s(this,c).value=e,f(this,v,e),r(this,S,R).call(this),r(this,N,le).call(this)},fe=new WeakSet,Ze=function(e){let i=e.isComposing||e.keyCode===229;e.key!=="Enter"||e.shiftKey||e.altKey||e.ctrlKey||e.metaKey||i||(e.preventDefault(),e.repeat||r(this,_,ke).call(this))},S=new WeakSet,R=function(){let e=me(s(this,c).value,this.maxLength);F(s(this,D),s(this,p).left(e)),s(this,D).classList.toggle("low",e<=at),s(this,m).classList.toggle("idle",be(s(this,c).value))},N=new WeakSet,le=function(){s(this,c).style.removeProperty("block-size");let{scrollHeight:e,offsetHeight:i,clientHeight:n}=s(this,c);e>n&&s(this,c).style.setProperty("block-size",`${e+i-n}px`)},E=new WeakSet,B=function(e){s(this,x).classList.remove("leaving"),s(this,x).replaceChildren(h("p",null,Be(),h("span",null,e))),f(this,L,Date.now()+rt),r(this,V,Ee).call(this)},V=new WeakSet,Ee=function(){if(clearTimeout(s(this,y)),s(this,L)===null||!this.isConnected)return;f(this,y,setTimeout(()=>{s(this,x).classList.add("leaving"),f(this,y,setTimeout(()=>r(this,Z,Me).call(this),ot))},Math.max(0,s(this,L)-Date.now())))},Z=new WeakSet,Me=function(){clearTimeout(s(this,y)),f(this,L,null),s(this,x).classList.remove("leaving"),s(this,x).replaceChildren()},Q=new WeakSet,De=function(){let{newCount:e,rows:i}=s(this,d);s(this,A).hidden=i.length>0,e>0&&F(s(this,$),s(this,p).fresh(e)),e===0&&this.shadowRoot?.activeElement===s(this,z)&&s(this,d).element.focus({preventScroll:!0}),s(this,z).hidden=e===0},Y=new WeakSet,Ae=function(e,{message:i,isSent:n,isGrouped:l,isSending:u}){let k=`${n?"sent":"received"} ${l?"grouped":"whole"}`;e.className=`row ${k}`,e.setAttribute("part",`row ${k}`);let ee=()=>h("time",{part:"time",datetime:i.sentAt.toISOString(),title:s(this,p).whole(i.sentAt)},s(this,p).clock(i.sentAt)),Ye=i.alias&&h("bdi",{class:"name",part:"name"},i.alias);return e.replaceChildren(),l||e.append(h("div",{class:"head"},Ye||null,ee())),e.append(h("div",{class:"bubble",part:"bubble"},h("p",{class:"text",part:"text",dir:"auto"},i.text))),u&&e.append(h("span",{class:"status",part:"status"},s(this,g).sending)),e},I=new WeakSet,he=function(){let e=lt(this);e!==s(this,J)&&(f(this,J,e),f(this,p,new H(e)),f(this,g,s(this,p).words),r(this,X,Ce).call(this),s(this,d).updateAll())},J=new WeakMap,X=new WeakSet,Ce=function(){let{message:e,messages:i,send:n,empty:l}=s(this,g);F(s(this,P),e),s(this,c).placeholder=e,s(this,m).setAttribute("aria-label",n),s(this,m).title=n,F(s(this,A),l),s(this,d).element.setAttribute("aria-label",i),r(this,Q,De).call(this),r(this,S,R).call(this)},ge=new WeakSet,Qe=function(e){if(!Object.hasOwn(this,e))return;let i=this,n=i[e];delete i[e],i[e]=n},O=new WeakSet,ce=function(e,i){i==null?this.removeAttribute(e):this.setAttribute(e,String(i))},Ne(ae,"observedAttributes",["max-length","lang"]);function lt(a){for(let t=a;t;){let e=t.closest("[lang]");if(e)return e.getAttribute("lang")||"en";let i=t.getRootNode();t=i instanceof ShadowRoot?i.host:null}return"en"}customElements.get("roost-text-chat")||customElements.define("roost-text-chat",ae);export{ae as RoostTextChat};
