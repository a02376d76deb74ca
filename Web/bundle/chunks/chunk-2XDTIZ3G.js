import{b as h}from"./chunk-5X4B7PGS.js";import{a as g,b as m}from"./chunk-EMUUJ3G7.js";import{a as e,f as n,j as f,k as u}from"./chunk-Y4HQ7EP4.js";var b=g(`
@keyframes roost-sheet { from { transform: translateY(100%); } }
dialog { color: inherit; border: 0; padding: 0; }
dialog:focus { outline: none; }
dialog::backdrop { background: var(--roost-shade); animation: roost-fade var(--roost-fast); }
.dialog {
  width: min(440px, calc(100vw - 32px)); max-height: min(720px, calc(100dvh - 32px)); overflow: hidden;
  border-radius: 16px; background: var(--roost-surface); color: var(--roost-text);
  font: 400 var(--roost-size-2)/1.4 var(--roost-font); box-shadow: var(--roost-shadow);
  animation: roost-rise 160ms var(--roost-ease);
}
.dialog[open] { display: flex; flex-direction: column; }
.dialog > header { display: flex; align-items: center; gap: 8px; padding-block: 8px 4px; padding-inline: 20px 8px; }
.dialog > header h2 { flex: 1; min-width: 0; padding: 8px 0; }
.dialog > .body { flex: 1 1 auto; min-height: 0; overflow: hidden auto; padding: 4px 20px 20px;
  display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); align-content: start; }
.dialog > footer { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; padding: 0 20px 20px; }
@media (max-width: 520px) {
  .dialog { width: 100vw; max-width: 100vw; margin: auto 0 0; border-radius: 16px 16px 0 0;
    max-height: calc(100dvh - 24px); animation-name: roost-sheet;
    padding-bottom: env(safe-area-inset-bottom, 0px); }
  .dialog > footer .button { flex: 1 1 auto; }
}

.menu {
  position: fixed; margin: 0; min-width: 200px; max-width: min(320px, calc(100vw - 16px));
  max-height: calc(100dvh - 16px); overflow: auto; padding: 6px; border-radius: 14px;
  background: var(--roost-surface); color: var(--roost-text); box-shadow: var(--roost-shadow);
  font: 400 var(--roost-size-2)/1.4 var(--roost-font); animation: roost-fade var(--roost-fast);
}
.menu::backdrop { background: transparent; }
.menu hr { border: 0; border-top: 1px solid var(--roost-line); margin: 6px 8px; }
.menu.sheet {
  inset: auto 0 0; width: 100vw; max-width: 520px; margin: 0 auto; border-radius: 16px 16px 0 0;
  padding: 8px 8px calc(8px + env(safe-area-inset-bottom, 0px)); animation: roost-sheet 180ms var(--roost-ease);
}
.menu.sheet .item { min-height: 52px; font-size: var(--roost-size-3); }
.menu.sheet::backdrop { background: var(--roost-shade); }
@media (forced-colors: active) { .menu, .dialog { border: 1px solid CanvasText; } }
`);var v=0;function w(a,t){let i=t.returnTo??f(),d=`roost-dialog-${v+=1}`,o=e("div",{class:"body"},t.body),s=e("footer",null,t.footer);s.hidden=!s.firstChild;let r=e("dialog",{class:`dialog ${t.class??""}`,part:"dialog","aria-labelledby":d},e("header",null,e("h2",{id:d},t.title),e("button",{type:"button",class:"icon-button","aria-label":t.closeLabel,onclick:()=>p()},h("close"))),o,s),l,c=new Promise(x=>l=x),p=x=>{r.isConnected&&(r.close(),r.remove(),u(i),l(x))};return y(r,p),m(a,b),a.append(r),r.showModal(),r.dispatchEvent(new Event("opened",{bubbles:!0})),(r.querySelector("[autofocus]")??r).focus(),{element:r,body:o,footer:s,closed:c,close:p}}async function P(a,t){let i=w(a,{...t,body:t.text?e("p",{class:"quiet-text"},t.text):null,footer:[e("button",{type:"button",class:"button",autofocus:t.isDanger,onclick:()=>i.close(!1)},t.cancel),e("button",{type:"button",class:t.isDanger?"button danger":"button primary",autofocus:!t.isDanger,onclick:()=>i.close(!0)},t.action)]});return i.body.hidden=!t.text,await i.closed===!0}function y(a,t){n(a,"cancel",o=>{o.target===a&&(o.preventDefault(),t())}),n(a,"close",o=>o.target===a&&t()),n(a,"keydown",o=>{o.key!=="Escape"||o.target.type!=="search"||o.target.value||(o.preventDefault(),t())});let i=!1,d=o=>{if(o.target!==a)return!1;let{left:s,right:r,top:l,bottom:c}=a.getBoundingClientRect();return o.clientX<s||o.clientX>r||o.clientY<l||o.clientY>c};n(a,"pointerdown",o=>i=d(o)),n(a,"click",o=>{i&&d(o)&&t()})}export{b as a,w as b,P as c,y as d};
