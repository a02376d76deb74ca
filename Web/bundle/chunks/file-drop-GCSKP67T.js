import{b as c}from"./chunk-5X4B7PGS.js";import{a as i,b as p}from"./chunk-EMUUJ3G7.js";import{a as s,f as t}from"./chunk-Y4HQ7EP4.js";var m=i(`
.drop { position: absolute; inset: 8px; z-index: 5; display: grid; place-content: center; justify-items: center;
  gap: 12px; border: 2px dashed var(--roost-accent); border-radius: 16px; font-weight: 600; color: var(--roost-accent);
  background: color-mix(in srgb, var(--roost-surface) 90%, transparent); pointer-events: none; }
`);function g({conversation:f,root:r,signal:o,t:l},u,h){p(r,m);let d=s("div",{class:"drop",hidden:!0},c("attach"),l("composer.drop"));u.append(d);let n=0,a=e=>f.canWrite&&e.dataTransfer?.types.includes("Files");t(r,"dragenter",e=>{a(e)&&(d.hidden=(n+=1)<1)},o),t(r,"dragleave",e=>{a(e)&&(d.hidden=(n-=1)<1)},o),t(r,"dragover",e=>a(e)&&e.preventDefault(),o),t(r,"drop",e=>{a(e)&&(e.preventDefault(),d.hidden=!0,n=0,h.addFiles([...e.dataTransfer.files]))},o)}export{g as watchDrops};
