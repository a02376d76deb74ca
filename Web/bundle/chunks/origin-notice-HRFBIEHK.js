import{b as c}from"./chunk-5X4B7PGS.js";import{a as l,b as a}from"./chunk-EMUUJ3G7.js";import"./chunk-WIIGNE3Y.js";import{a as o,c as e}from"./chunk-Y4HQ7EP4.js";import"./chunk-2RQMXYUT.js";var s=l(`
.origin-notice code { padding: 8px 12px; border-radius: 8px; background: var(--roost-surface-2);
  color: var(--roost-text); font: var(--roost-size-1)/1.5 ui-monospace, monospace;
  overflow-wrap: anywhere; user-select: all; text-align: start; }
`);function m(i,r,t){let n=`--allow-origin ${location.origin}`;console.error(`${r} does not let pages of ${location.origin} connect. Start it with ${n}.`),e(i,o("div",{class:"placeholder origin-notice",role:"alert"},c("warning"),o("h2",null,t("origin.title")),o("p",null,t("origin.text",{server:r,origin:location.origin})),o("code",{dir:"ltr"},n))),a(i,s)}export{m as showOriginNotice};
