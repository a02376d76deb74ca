import{a as m,b as h}from"./chunk-3V6VE2WQ.js";import{a as g}from"./chunk-RVIQYFAM.js";import{a as e,f as d,i as f,j as u}from"./chunk-FGL23BOC.js";var b=m(`
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
.dialog > .body { flex: 1; min-height: 0; overflow: auto; padding: 4px 20px 20px; display: grid; gap: 16px;
  grid-template-columns: minmax(0, 1fr);
  align-content: start; }
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
`);var v=0;function w(a,o){let i=o.returnTo??f(),n=`roost-dialog-${v+=1}`,t=e("div",{class:"body"},o.body),s=e("footer",null,o.footer);s.hidden=!s.firstChild;let r=e("dialog",{class:`dialog ${o.class??""}`,part:"dialog","aria-labelledby":n},e("header",null,e("h2",{id:n},o.title),e("button",{type:"button",class:"icon-button","aria-label":o.closeLabel,onclick:()=>p()},g("close"))),t,s),l,c=new Promise(x=>l=x),p=x=>{r.isConnected&&(r.close(),r.remove(),u(i),l(x))};return y(r,p),h(a,b),a.append(r),r.showModal(),(r.querySelector("[autofocus]")??r).focus(),{element:r,body:t,footer:s,closed:c,close:p}}async function P(a,o){let i=w(a,{...o,body:o.text?e("p",{class:"quiet-text"},o.text):null,footer:[e("button",{type:"button",class:"button",onclick:()=>i.close(!1)},o.cancel),e("button",{type:"button",class:o.isDanger?"button danger":"button primary",autofocus:!0,onclick:()=>i.close(!0)},o.action)]});return i.body.hidden=!o.text,await i.closed===!0}function y(a,o){d(a,"cancel",t=>{t.target===a&&(t.preventDefault(),o())}),d(a,"close",t=>t.target===a&&o());let i=!1,n=t=>{if(t.target!==a)return!1;let{left:s,right:r,top:l,bottom:c}=a.getBoundingClientRect();return t.clientX<s||t.clientX>r||t.clientY<l||t.clientY>c};d(a,"pointerdown",t=>i=n(t)),d(a,"click",t=>{i&&n(t)&&o()})}export{b as a,w as b,P as c,y as d};
