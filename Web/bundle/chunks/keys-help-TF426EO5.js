import{b as d}from"./chunk-2XDTIZ3G.js";import"./chunk-LEEGMWMJ.js";import"./chunk-OM3YY7OL.js";import"./chunk-DPJGVIHA.js";import"./chunk-5X4B7PGS.js";import"./chunk-OFQJ6KL3.js";import{a as p,b as a}from"./chunk-EMUUJ3G7.js";import{a as s,b as r}from"./chunk-Y4HQ7EP4.js";var x=p(`
.dialog.keys-help { width: min(560px, 100vw); }
.keys-help .body { display: grid; gap: 20px; }
.keys-help .body:focus-visible { outline-offset: -2px; }
.keys-help h3 { font-size: var(--roost-size-1); font-weight: 600; color: var(--roost-text-2); margin-bottom: 4px; }
.keys-help dl { margin: 0; }
.keys-help dl > div { display: flex; align-items: center; gap: 16px; padding: 6px 0; min-height: 40px;
  border-bottom: 1px solid var(--roost-line); }
.keys-help dl > div:last-child { border: 0; }
.keys-help dt { flex: 1; min-width: 0; }
.keys-help dd { margin: 0; display: flex; flex-wrap: wrap; justify-content: end; gap: 4px 10px; max-width: 55%; }
.keys-help dd > span { display: inline-flex; gap: 4px; direction: ltr; }
.keys-help kbd { display: inline-grid; place-items: center; min-width: 26px; min-height: 26px; padding: 0 7px;
  font: 500 13px/1 var(--roost-font); border: 1px solid var(--roost-line); border-bottom-width: 2px; border-radius: 6px;
  background: var(--roost-surface-2); white-space: nowrap; }
`),u=[["keys.everywhere",[["keys.write","A–Z"],["list.search","ctrl+K"],["keys.conversations","alt+↑","alt+↓"],["keys.help","?","ctrl+/"]]],["keys.inField",[["composer.send","enter"],["keys.newLine","shift+enter"],["keys.mention","@"],["keys.emoji",":"],["keys.toMessages","↑"],["reply.cancel","escape"]]],["keys.inMessages",[["keys.move","↑","↓"],["keys.ends","home","end"],["message.actions","enter","menu"],["message.reply","R"],["keys.toField","escape"]]],["keys.inList",[["keys.move","↑","↓"],["keys.ends","home","end"],["keys.open","enter"],["keys.menu","menu"]]],["keys.inPictures",[["keys.pictures","←","→"],["keys.zoom","+","−","0"],["lightbox.close","escape"]]]],y={ctrl:"key.ctrl",alt:"key.alt",shift:"key.shift",enter:"key.enter",escape:"key.escape",home:"key.home",end:"key.end",menu:"key.menu"};function w(o,t){let i=/Mac|iPhone|iPad/.test(navigator.platform),c=e=>i&&e==="ctrl"?"⌘":i&&e==="alt"?"⌥":Object.hasOwn(y,e)?t(y[e]):e,k=e=>s("span",null,(e==="+"?[e]:e.split("+")).map(l=>s("kbd",null,c(l))));a(o,x);let{body:n}=d(o,{title:t("keys.title"),closeLabel:t("close"),class:"tall keys-help",body:u.map(([e,l])=>s("section",{"aria-label":t(e)},s("h3",null,t(e)),s("dl",null,l.map(([m,...h])=>s("div",null,s("dt",null,t(m)),s("dd",null,h.map(k)))))))});r(n,{tabindex:"0",role:"group","aria-label":t("keys.title")}),n.focus()}export{w as openKeysHelp};
