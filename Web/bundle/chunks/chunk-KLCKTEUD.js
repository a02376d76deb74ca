import{a as e}from"./chunk-3V6VE2WQ.js";var t=e(`
.menu .quick-reactions { display: flex; justify-content: space-between; gap: 2px; padding: 2px 2px 6px;
  margin-bottom: 6px; border-bottom: 1px solid var(--roost-line); }
.quick-reactions .emoji { width: 40px; height: 44px; font-size: 24px; text-align: center; border-radius: 10px; }
.quick-reactions .icon-button { width: 40px; }
@media (hover: hover) { .menu .emoji:hover { background: var(--roost-hover); } }
.menu.emoji-picker { width: 340px; padding: 6px; overflow: hidden; display: flex; flex-direction: column; }
.menu.emoji-picker.sheet { width: 100vw; height: 50dvh; }
.emoji-tabs { display: flex; justify-content: space-between; border-bottom: 1px solid var(--roost-line);
  padding-bottom: 4px; }
.emoji-tabs .emoji { flex: 1; height: 44px; text-align: center; font-size: 18px; filter: grayscale(.4); }
.emoji-groups { position: relative; height: 300px; overflow: hidden auto; flex: 1 1 auto; }
.emoji-groups h3 { padding: 10px 6px 4px; font-size: var(--roost-size-1); color: var(--roost-text-2); }
.emoji-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(40px, 1fr)); }
.emoji-grid .emoji { height: 44px; text-align: center; font-size: 24px; line-height: 1; }

.menu .emoji:focus-visible { outline-offset: -2px; }
.menu [role="menu"]:empty { display: none; }
.people li { display: flex; align-items: center; gap: 12px; min-height: 48px; }
.people .check { flex: 1; min-width: 0; }
.excerpt { margin: 0; padding: 8px 12px; border-radius: 10px; background: var(--roost-surface-2);
  overflow-wrap: anywhere; }
.form { display: grid; gap: 16px; }
.form textarea { display: block; resize: vertical; }
.options { display: grid; gap: 8px; }
.form > .quiet { justify-self: start; }
.option-row { display: flex; gap: 4px; }
.presets { display: flex; flex-wrap: wrap; gap: 8px; }

.lightbox { position: fixed; inset: 0; width: 100vw; height: 100dvh; max-width: none; max-height: none; margin: 0;
  color: #fff; background: #000e; font: 400 var(--roost-size-2)/1.4 var(--roost-font); animation: roost-fade 120ms; }
.lightbox[open] { display: grid; grid-template-rows: auto 1fr; }
.lightbox header { display: flex; align-items: center; gap: 12px; padding: 8px 8px 8px 16px; min-width: 0; }
.lightbox .quiet-text { color: #fffc; flex: none; }
.lightbox .icon-button { color: #fff; background: #fff2; }
.lightbox .icon-button:hover:enabled { color: #fff; background: #fff4; }
.lightbox :focus-visible { outline-color: #fff; }
.stage { display: grid; place-items: center; min-height: 0; min-width: 0; padding: 0 8px 8px; }
.stage img, .stage video { max-width: 100%; max-height: calc(100dvh - 76px); object-fit: contain; border-radius: 6px; }
.instead { display: grid; justify-items: center; gap: 12px; }
.instead img { max-height: calc(100dvh - 140px); }
.previous, .next { position: absolute; inset-block-start: calc(50% - 22px); }
.previous { inset-inline-start: 12px; rotate: 180deg; }
.next { inset-inline-end: 12px; }
`);export{t as a};
