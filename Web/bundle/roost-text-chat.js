import{a as h,d as H}from"./chunks/chunk-Y4HQ7EP4.js";import{a as It,b as e,c as o,d as f,e as r}from"./chunks/chunk-MRYQ45LQ.js";var Xt=500,te=5e3,ee=2,Ot=200,et=class{constructor(s){this.#o=s,this.element=h("div",{role:"status","aria-live":"polite",class:"unseen"})}#o;#i=[];#s="";#n=!1;#r=!1;#t;start(){this.#n=!0}stop(){this.#n=!1,this.#r=!1,clearTimeout(this.#t),this.#i=[],this.#s="",this.element.replaceChildren()}message(s){this.#n&&(this.#i.push(s),this.#e())}note(s){this.#n&&(this.#s=s,this.#e())}#e(){this.#r||(this.#r=!0,clearTimeout(this.#t),this.#t=setTimeout(()=>this.#a(),Xt))}#a(){this.#r=!1;let s=this.#o(),t=this.#i.length>ee?[s.fresh(this.#i.length)]:this.#i.map(({alias:i,text:n})=>s.said(i,se(n)));this.#s&&t.push(this.#s),this.#i=[],this.#s="",this.element.replaceChildren(...t.map(i=>h("p",null,i))),this.#t=setTimeout(()=>this.element.replaceChildren(),te)}};function se(a){return a.length<=Ot?a:Array.from(a).slice(0,Ot).join("")+"…"}function Ht(a){let s=a===null||a===""?NaN:Math.trunc(Number(a));return Number.isNaN(s)?1e3:Math.min(Math.max(s,1),8e3)}var mt=(a,s)=>Math.max(0,s-a.length),xt=(a,s,t)=>a<=t||a<s,bt=a=>!/\P{White_Space}/u.test(a);function wt(a,s){return s!==void 0&&a.isSent===s.isSent&&a.message.senderID===s.message.senderID&&a.message.alias===s.message.alias&&a.message.sentAt.getTime()-s.message.sentAt.getTime()<12e4}function vt(a,s=Date.now){let{senderID:t=null,alias:i="",text:n,sentAt:l}=a;if(typeof n!="string")throw new TypeError("The text of a message must be a string.");if(t!==null&&typeof t!="string")throw new TypeError("A senderID must be a string or null.");if(i!==null&&typeof i!="string")throw new TypeError("An alias must be a string.");let u=new Date(l??s());if(Number.isNaN(u.getTime()))throw new TypeError("sentAt must be a time.");return{senderID:t,alias:Ft(i??""),text:Ft(n),sentAt:u}}var st=a=>({...a,sentAt:new Date(a.sentAt)}),Ft=a=>a.replace(/\p{Surrogate}/gu,"�");var D="messagereadytosend",it=class extends CustomEvent{constructor(s){super(D,{cancelable:!0,bubbles:!0,composed:!0});let t=st(s);Object.defineProperty(this,"detail",{get:()=>(this.#o=!0,t)})}#o=!1;#i=!1;#s=null;respondWith(s){if(this.#s||this.#i)throw new DOMException("The message was answered before.","InvalidStateError");this.#s=Promise.resolve(s).then(t=>t!==!1,()=>!1)}finish(s){return this.#i=!0,this.defaultPrevented||!s&&!this.#o&&!this.#s?!1:this.#s??!0}};var Rt=()=>yt("M12 19V5M5 12l7-7 7 7"),Bt=()=>yt("M12 5v14M5 12l7 7 7-7"),Pt=()=>yt("M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18");function yt(a){let s=document.createElementNS("http://www.w3.org/2000/svg","svg");s.setAttribute("viewBox","0 0 24 24"),s.setAttribute("aria-hidden","true");let t=document.createElementNS("http://www.w3.org/2000/svg","path");return t.setAttribute("d",a),s.append(t),s}var nt=300,rt=100,ie=80,$t=800,ot=class{constructor({label:s,makeRow:t,updateRow:i,onChange:n}){this.#o=t,this.#i=i,this.#s=n,this.#n=h("ul",{role:"list",class:"rows",hidden:!0}),this.element=h("div",{class:"list",part:"list",role:"group",tabindex:"0","aria-label":s},this.#n),this.element.addEventListener("scroll",()=>this.#v(),{passive:!0}),this.element.addEventListener("keydown",l=>this.#z(l)),this.#n.addEventListener("animationend",l=>{l.target.classList.remove("fresh")}),this.#r=new ResizeObserver(()=>this.#k())}#o;#i;#s;#n;#r;rows=[];isFollowing=!0;newCount=0;#t=0;#e=0;#a=new Map;#h=new Set;#p=!1;#c=0;#f="";#l=null;start(){this.#r.observe(this.element),this.#r.observe(this.#n),this.place()}stop(){this.#r.disconnect()}add(s){this.#m(),this.rows.push(s),this.#h.add(s),this.#e===this.rows.length-1&&(this.isFollowing||this.#e-this.#t<nt)&&(this.#e+=1),this.#t=Math.max(this.#t,this.#e-nt),this.isFollowing||(this.newCount+=1)}remove(s){let t=this.rows.indexOf(s);t<0||(this.#m(),this.rows.splice(t,1),t<this.#t&&(this.#t-=1),t<this.#e&&(this.#e-=1))}update(s){let t=this.#a.get(s);t&&this.#i(t,s)}updateAll(){for(let[s,t]of this.#a)this.#i(t,s)}goToEnd(){this.#m(),this.#e<this.rows.length&&this.#w(this.rows.length-2*rt),this.#y()}goToStart(){this.#w(0),this.#d(),this.element.scrollTop=0,this.#v()}place(){this.element.clientHeight&&(this.#b(),this.#u()),this.#s()}#k(){let{scrollTop:s,clientHeight:t}=this.element;t&&this.#f===this.#g&&Math.abs(s-this.#c)>1?this.#u():this.place()}#b(){let s=this.#l&&this.#a.get(this.#l.row);if(this.isFollowing)this.element.scrollTop=this.element.scrollHeight;else if(this.#l&&s){let t=this.#x(s)-this.#l.top;Math.abs(t)>=1&&(this.element.scrollTop+=t)}this.#c=this.element.scrollTop,this.#f=this.#g}get#g(){return`${this.element.clientWidth} × ${this.element.clientHeight}`}#w(s){this.#t=Math.max(0,s),this.#e=Math.min(this.rows.length,this.#t+2*rt)}#m(){this.#p||(this.#p=!0,this.#u(),queueMicrotask(()=>{this.#p=!1,this.#d(),this.#h.clear()}))}#d(){let s=this.isFollowing&&this.#h.size<=3,t=new Set(this.rows.slice(this.#t,this.#e));for(let[n,l]of this.#a)t.has(n)||(l.remove(),this.#a.delete(n));let i=this.#n.firstElementChild;for(let n of t){let l=this.#a.get(n);if(l){i=l.nextElementSibling;continue}l=this.#o(n),s&&this.#h.has(n)&&l.classList.add("fresh"),this.#a.set(n,l),this.#n.insertBefore(l,i)}this.#n.hidden=this.rows.length===0,this.place()}#v(){this.#u();let{scrollTop:s,scrollHeight:t,clientHeight:i}=this.element;!this.isFollowing&&s<$t&&this.#t>0?(this.#t=Math.max(0,this.#t-rt),this.#e=Math.min(this.#e,this.#t+nt),this.#d()):this.#e<this.rows.length&&t-s-i<$t?(this.#e=Math.min(this.rows.length,this.#e+rt),this.#t=Math.max(this.#t,this.#e-nt),this.#d()):this.#s()}#u(){if(!this.element.clientHeight)return;this.#f!==this.#g&&this.#b();let{scrollTop:s,scrollHeight:t,clientHeight:i}=this.element;this.#e===this.rows.length&&t-s-i<=ie?this.#y():s<this.#c-1&&(this.isFollowing=!1),this.#c=s,this.#l=this.isFollowing?null:this.#L()}#y(){this.isFollowing=!0,this.newCount=0}#L(){let[s,t]=[this.#t,this.#e];for(;s<t;){let l=s+t>>1,u=this.#a.get(this.rows[l]);u&&this.#x(u)+u.offsetHeight>0?t=l:s=l+1}let i=this.rows[s],n=i&&this.#a.get(i);return n?{row:i,top:this.#x(n)}:null}#x(s){return s.getBoundingClientRect().top-this.element.getBoundingClientRect().top}#z(s){if(!(s.altKey||s.shiftKey||s.metaKey||s.target!==this.element)){if(s.key==="Home")this.goToStart();else if(s.key==="End")this.goToEnd();else return;s.preventDefault()}}};var ne=`
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
`,jt=`
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
`,Wt=`
:host { ${ne}
  --radius: var(--roost-radius, 12px);
  display: flex; flex-direction: column; box-sizing: border-box; overflow: hidden;
  inline-size: 100%; block-size: 100%; min-inline-size: 0; min-block-size: 0;
  color: var(--text); background: var(--surface); text-align: start;
  font: 400 15px/1.4 var(--roost-font,
    system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif);
  -webkit-text-size-adjust: 100%; -webkit-tap-highlight-color: transparent;
}
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${jt} } }
:host([theme="dark"]) { ${jt} }
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
`;var Gt={en:{message:"Message",messages:"Messages",send:"Send",empty:"No messages yet",sending:"Sending…",notSent:"The message was not sent. Try again.",left:{one:"{n} character left",other:"{n} characters left"},tooLong:{one:"The text is {n} character too long.",other:"The text is {n} characters too long."},fresh:{one:"{n} new message",other:"{n} new messages"},said:"{name}: {text}"},de:{message:"Nachricht",messages:"Nachrichten",send:"Senden",empty:"Noch keine Nachrichten",sending:"Wird gesendet …",notSent:"Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal.",left:{other:"Noch {n} Zeichen"},tooLong:{other:"Der Text ist {n} Zeichen zu lang."},fresh:{one:"{n} neue Nachricht",other:"{n} neue Nachrichten"},said:"{name}: {text}"},"zh-Hant":{message:"訊息",messages:"訊息列表",send:"傳送",empty:"還沒有訊息",sending:"傳送中…",notSent:"訊息未送出，請再試一次。",left:{other:"還可以輸入 {n} 個字"},tooLong:{other:"文字超出上限 {n} 個字。"},fresh:{other:"{n} 則新訊息"},said:"{name}：{text}"},ko:{message:"메시지",messages:"메시지 목록",send:"보내기",empty:"아직 메시지가 없습니다",sending:"보내는 중…",notSent:"메시지를 보내지 못했습니다. 다시 시도해 주세요.",left:{other:"{n}자 남음"},tooLong:{other:"제한보다 {n}자 더 깁니다."},fresh:{other:"새 메시지 {n}개"},said:"{name}: {text}"},ar:{message:"رسالة",messages:"الرسائل",send:"إرسال",empty:"لا توجد رسائل بعد",sending:"جارٍ الإرسال…",notSent:"لم تُرسَل الرسالة. حاول مرة أخرى.",left:{zero:"لم يتبقَّ أي حرف",one:"بقي حرف واحد",two:"بقي حرفان",few:"بقيت {n} أحرف",many:"بقي {n} حرفًا",other:"بقي {n} حرف"},tooLong:{one:"النص أطول من المسموح بحرف واحد.",two:"النص أطول من المسموح بحرفين.",few:"النص أطول من المسموح بمقدار {n} أحرف.",many:"النص أطول من المسموح بمقدار {n} حرفًا.",other:"النص أطول من المسموح بمقدار {n} حرف."},fresh:{one:"رسالة جديدة واحدة",two:"رسالتان جديدتان",few:"{n} رسائل جديدة",many:"{n} رسالة جديدة",other:"{n} رسالة جديدة"},said:"{name}: {text}"}};function Kt(a){let s=a.toLowerCase().split("-")[0];return s==="zh"?"zh-Hant":Object.hasOwn(Gt,s)?s:"en"}var R=class{constructor(s){this.language=Kt(s),this.words=Gt[this.language];let t=re(s)&&Kt(s)===s.toLowerCase().split("-")[0]?s:this.language;this.#o=new Intl.PluralRules(this.language),this.#i=new Intl.NumberFormat(t,{useGrouping:!1}),this.#s=new Intl.DateTimeFormat(t,{hour:"2-digit",minute:"2-digit"}),this.#n=new Intl.DateTimeFormat(t,{dateStyle:"full",timeStyle:"short"})}#o;#i;#s;#n;left(s){return this.#r(this.words.left,s)}tooLong(s){return this.#r(this.words.tooLong,s)}fresh(s){return this.#r(this.words.fresh,s)}said(s,t){return s?_t(this.words.said,{name:s,text:t}):t}clock(s){return this.#s.format(s)}whole(s){return this.#n.format(s)}#r(s,t){return _t(s[this.#o.select(t)]??s.other,{n:this.#i.format(t)})}},_t=(a,s)=>a.replace(/\{(\w+)\}/g,(t,i)=>s[i]);function re(a){try{return Intl.NumberFormat.supportedLocalesOf(a).length===1}catch{return!1}}var oe=4e3,ae=500,le=10,Ut=globalThis.CSSStyleSheet&&new CSSStyleSheet;Ut?.replaceSync(Wt);var p,g,c,P,m,A,x,C,$,z,w,d,j,W,v,N,T,y,S,b,K,Lt,dt,qt,_,zt,ut,Vt,pt,Zt,G,Tt,U,St,q,Et,ft,Qt,k,M,I,lt,E,B,V,Dt,Z,Mt,Q,At,Y,Ct,O,ht,J,X,Nt,gt,Yt,F,ct,at=class extends(globalThis.HTMLElement??Object){constructor(){super();o(this,K);o(this,dt);o(this,_);o(this,ut);o(this,pt);o(this,G);o(this,U);o(this,q);o(this,ft);o(this,k);o(this,I);o(this,E);o(this,V);o(this,Z);o(this,Q);o(this,Y);o(this,O);o(this,X);o(this,gt);o(this,F);o(this,p,new R("en"));o(this,g,e(this,p).words);o(this,c,h("textarea",{class:"field",part:"field",id:"field",rows:1,enterkeyhint:"send",autocomplete:"off","aria-describedby":"counter"}));o(this,P,h("label",{class:"unseen",for:"field"}));o(this,m,h("button",{class:"send idle",part:"send",type:"button"},Rt()));o(this,A,h("span",{class:"counter",part:"counter",id:"counter"}));o(this,x,h("div",{class:"error",part:"error",role:"alert"}));o(this,C,h("p",{class:"empty",part:"empty"}));o(this,$,h("span"));o(this,z,h("button",{class:"banner",part:"banner",type:"button",hidden:!0},e(this,$),Bt()));o(this,w,new et(()=>e(this,p)));o(this,d,new ot({label:e(this,g).messages,makeRow:t=>r(this,Y,Ct).call(this,h("li"),t),updateRow:(t,i)=>r(this,Y,Ct).call(this,t,i),onChange:()=>r(this,Q,At).call(this)}));o(this,j,new MutationObserver(()=>r(this,O,ht).call(this)));o(this,W,new ResizeObserver(()=>r(this,I,lt).call(this)));o(this,v,"");o(this,N,!1);o(this,T,null);o(this,y,void 0);o(this,S,new Set);o(this,b,null);o(this,J,"en");let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[Ut],t.append(h("div",{class:"place"},e(this,d).element,e(this,C),e(this,z)),h("div",{class:"composer",part:"composer"},h("div",{class:"inner"},e(this,P),h("div",{class:"line"},e(this,c),e(this,m)),h("div",{class:"foot"},e(this,x),e(this,A)))),e(this,w).element),e(this,c).addEventListener("beforeinput",i=>r(this,pt,Zt).call(this,i)),e(this,c).addEventListener("input",i=>r(this,G,Tt).call(this,i.isComposing)),e(this,c).addEventListener("compositionend",()=>r(this,G,Tt).call(this,!1)),e(this,c).addEventListener("keydown",i=>r(this,ft,Qt).call(this,i)),e(this,m).addEventListener("mousedown",i=>i.preventDefault()),e(this,m).addEventListener("click",()=>r(this,K,Lt).call(this)),e(this,z).addEventListener("click",()=>e(this,d).goToEnd()),r(this,X,Nt).call(this)}connectedCallback(){for(let t of["senderID","senderId","alias","maxLength","onmessagereadytosend"])r(this,gt,Yt).call(this,t);r(this,O,ht).call(this),e(this,j).observe(this.ownerDocument,{subtree:!0,attributes:!0,attributeFilter:["lang","dir"]}),e(this,w).start(),e(this,d).start(),e(this,W).observe(this),r(this,V,Dt).call(this)}disconnectedCallback(){e(this,j).disconnect(),e(this,w).stop(),e(this,d).stop(),e(this,W).disconnect(),clearTimeout(e(this,y))}attributeChangedCallback(t){t==="lang"?r(this,O,ht).call(this):r(this,k,M).call(this)}get senderID(){return this.getAttribute("sender-id")}set senderID(t){r(this,F,ct).call(this,"sender-id",t)}get senderId(){return this.senderID}set senderId(t){this.senderID=t}get alias(){return this.getAttribute("alias")??""}set alias(t){r(this,F,ct).call(this,"alias",t)}get maxLength(){return Ht(this.getAttribute("max-length"))}set maxLength(t){r(this,F,ct).call(this,"max-length",t)}get messages(){return e(this,d).rows.map(t=>st(t.message))}get onmessagereadytosend(){return e(this,b)}set onmessagereadytosend(t){e(this,b)&&this.removeEventListener(D,e(this,b)),f(this,b,typeof t=="function"?t:null),e(this,b)&&this.addEventListener(D,e(this,b))}addMessage(t){let i=vt(t),n=i.senderID!==null&&i.senderID===this.senderID;r(this,_,zt).call(this,{message:i,isSent:n,isGrouped:!1,isSending:!1}),n||e(this,w).message(i)}focus(t){e(this,c).focus(t)}addEventListener(t,i,n){let l=typeof n=="object"?n.signal:void 0;t===D&&i&&!l?.aborted&&(e(this,S).add(i),l?.addEventListener("abort",()=>e(this,S).delete(i),{once:!0})),super.addEventListener(t,i,n)}removeEventListener(t,i,n){t===D&&e(this,S).delete(i),super.removeEventListener(t,i,n)}};p=new WeakMap,g=new WeakMap,c=new WeakMap,P=new WeakMap,m=new WeakMap,A=new WeakMap,x=new WeakMap,C=new WeakMap,$=new WeakMap,z=new WeakMap,w=new WeakMap,d=new WeakMap,j=new WeakMap,W=new WeakMap,v=new WeakMap,N=new WeakMap,T=new WeakMap,y=new WeakMap,S=new WeakMap,b=new WeakMap,K=new WeakSet,Lt=async function(){if(e(this,N)||bt(e(this,c).value))return;let t=e(this,c).value.length-this.maxLength;if(t>0)return r(this,E,B).call(this,e(this,p).tooLong(t));let i=vt({senderID:this.senderID,alias:this.alias,text:e(this,c).value}),n=new it(i);this.dispatchEvent(n);let l=n.finish(e(this,S).size>0);if(l===!1)return r(this,E,B).call(this,e(this,g).notSent);let u={message:i,isSent:!0,isGrouped:!1,isSending:l!==!0};if(e(this,d).goToEnd(),r(this,_,zt).call(this,u),r(this,q,Et).call(this,""),r(this,Z,Mt).call(this),l===!0)return;f(this,N,!0);let L=await l;f(this,N,!1),u.isSending=!1,L?e(this,d).update(u):r(this,dt,qt).call(this,u)},dt=new WeakSet,qt=function(t){let i=e(this,d).rows.indexOf(t);e(this,d).remove(t),r(this,ut,Vt).call(this,i),e(this,c).value||r(this,q,Et).call(this,t.message.text),r(this,E,B).call(this,e(this,g).notSent)},_=new WeakSet,zt=function(t){t.isGrouped=wt(t,e(this,d).rows.at(-1)),e(this,d).add(t)},ut=new WeakSet,Vt=function(t){let i=e(this,d).rows[t];i&&(i.isGrouped=wt(i,e(this,d).rows[t-1]),e(this,d).update(i))},pt=new WeakSet,Zt=function(t){if(t.isComposing||!t.inputType.startsWith("insert"))return;let{value:i,selectionStart:n,selectionEnd:l}=e(this,c),L=t.inputType==="insertLineBreak"||t.inputType==="insertParagraph"?`
`:t.data??t.dataTransfer?.getData("text/plain")??"",tt=i.length-(l-n)+L.replace(/\r\n?/g,`
`).length;xt(tt,i.length,this.maxLength)||(t.preventDefault(),r(this,U,St).call(this,tt-this.maxLength,L.length>1))},G=new WeakSet,Tt=function(t){let{value:i,selectionEnd:n}=e(this,c);if(!t&&!xt(i.length,e(this,v).length,this.maxLength)){let l=Math.max(0,n-(i.length-e(this,v).length));e(this,c).value=e(this,v),e(this,c).setSelectionRange(l,l),r(this,U,St).call(this,i.length-this.maxLength,!0)}t||f(this,v,e(this,c).value),r(this,k,M).call(this),r(this,I,lt).call(this)},U=new WeakSet,St=function(t,i){i?r(this,E,B).call(this,e(this,p).tooLong(t)):e(this,w).note(e(this,p).left(mt(e(this,c).value,this.maxLength)))},q=new WeakSet,Et=function(t){e(this,c).value=t,f(this,v,t),r(this,k,M).call(this),r(this,I,lt).call(this)},ft=new WeakSet,Qt=function(t){let i=t.isComposing||t.keyCode===229;t.key!=="Enter"||t.shiftKey||t.altKey||t.ctrlKey||t.metaKey||i||(t.preventDefault(),t.repeat||r(this,K,Lt).call(this))},k=new WeakSet,M=function(){let t=mt(e(this,c).value,this.maxLength);H(e(this,A),e(this,p).left(t)),e(this,A).classList.toggle("low",t<=le),e(this,m).classList.toggle("idle",bt(e(this,c).value)),e(this,c).dir=e(this,c).value?"auto":this.matches(":dir(rtl)")?"rtl":"ltr"},I=new WeakSet,lt=function(){e(this,c).style.removeProperty("block-size");let{scrollHeight:t,offsetHeight:i,clientHeight:n}=e(this,c);t>n&&e(this,c).style.setProperty("block-size",`${t+i-n}px`)},E=new WeakSet,B=function(t){e(this,x).classList.remove("leaving"),e(this,x).replaceChildren(h("p",null,Pt(),h("span",null,t))),f(this,T,Date.now()+oe),r(this,V,Dt).call(this)},V=new WeakSet,Dt=function(){if(clearTimeout(e(this,y)),e(this,T)===null||!this.isConnected)return;f(this,y,setTimeout(()=>{e(this,x).classList.add("leaving"),f(this,y,setTimeout(()=>r(this,Z,Mt).call(this),ae))},Math.max(0,e(this,T)-Date.now())))},Z=new WeakSet,Mt=function(){clearTimeout(e(this,y)),f(this,T,null),e(this,x).classList.remove("leaving"),e(this,x).replaceChildren()},Q=new WeakSet,At=function(){let{newCount:t,rows:i}=e(this,d);e(this,C).hidden=i.length>0,t>0&&H(e(this,$),e(this,p).fresh(t)),t===0&&this.shadowRoot?.activeElement===e(this,z)&&e(this,d).element.focus({preventScroll:!0}),e(this,z).hidden=t===0},Y=new WeakSet,Ct=function(t,{message:i,isSent:n,isGrouped:l,isSending:u}){let L=`${n?"sent":"received"} ${l?"grouped":"whole"}`;t.className=`row ${L}`,t.setAttribute("part",`row ${L}`);let tt=()=>h("time",{part:"time",datetime:i.sentAt.toISOString(),title:e(this,p).whole(i.sentAt)},e(this,p).clock(i.sentAt)),Jt=i.alias&&h("bdi",{class:"name",part:"name"},i.alias);return t.replaceChildren(),l||t.append(h("div",{class:"head"},Jt||null,tt())),t.append(h("div",{class:"bubble",part:"bubble"},h("p",{class:"text",part:"text",dir:"auto"},i.text))),u&&t.append(h("span",{class:"status",part:"status"},e(this,g).sending)),t},O=new WeakSet,ht=function(){let t=he(this);if(t===e(this,J))return r(this,k,M).call(this);f(this,J,t),f(this,p,new R(t)),f(this,g,e(this,p).words),r(this,X,Nt).call(this),e(this,d).updateAll()},J=new WeakMap,X=new WeakSet,Nt=function(){let{message:t,messages:i,send:n,empty:l}=e(this,g);H(e(this,P),t),e(this,c).placeholder=t,e(this,m).setAttribute("aria-label",n),e(this,m).title=n,H(e(this,C),l),e(this,d).element.setAttribute("aria-label",i),r(this,Q,At).call(this),r(this,k,M).call(this)},gt=new WeakSet,Yt=function(t){if(!Object.hasOwn(this,t))return;let i=this,n=i[t];delete i[t],i[t]=n},F=new WeakSet,ct=function(t,i){i==null?this.removeAttribute(t):this.setAttribute(t,String(i))},It(at,"observedAttributes",["max-length","lang"]);function he(a){for(let s=a;s;){let t=s.closest("[lang]");if(t)return t.getAttribute("lang")||"en";let i=s.getRootNode();s=i instanceof ShadowRoot?i.host:null}return"en"}var kt=globalThis.customElements;kt&&!kt.get("roost-text-chat")&&kt.define("roost-text-chat",at);export{at as RoostTextChat};
