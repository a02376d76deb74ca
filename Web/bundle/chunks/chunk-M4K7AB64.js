import{a as e}from"./chunk-EMUUJ3G7.js";var o=e(`
.has-media .text { padding: 5px 8px 3px; max-width: 340px; }
.has-media .forwarded { padding: 2px 8px; }
.own .media { border-end-end-radius: 3px; }
.other .media { border-start-start-radius: 3px; }
.media .open { position: absolute; inset: 0; width: 100%; height: 100%; border-radius: inherit; }
.media .open:focus-visible { outline-offset: -4px; }
.media canvas, .media img, .media video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.media.sticker { background: none; }
.media.sticker img { object-fit: contain; }
.media img, .media video { opacity: 0; transition: opacity 160ms; }
.media.is-loaded img, .media.is-loaded video { opacity: 1; }
.play { position: absolute; inset: 50% auto auto 50%; z-index: 1; display: grid;
  place-items: center; width: 52px; height: 52px; margin: -26px 0 0 -26px; border-radius: 50%; color: #fff;
  background: #0009; }
.media .chip { position: absolute; inset: auto auto 8px 8px; z-index: 1; padding: 1px 8px; border-radius: 10px;
  font-size: 12px; color: #fff; background: #000a; }
.media .failure { position: absolute; inset: 0; display: grid; place-content: center; padding: 12px; text-align: center;
  font-size: var(--roost-size-1); color: var(--roost-text-2); }
.is-media > .meta { position: absolute; inset-block-end: 10px; inset-inline-end: 10px; margin: 0; padding: 1px 8px;
  border-radius: 10px; color: #fff; background: #000a; pointer-events: none; }
.is-media > .meta:not(:has(:not(.visually-hidden))) { display: none; }
.progress { position: absolute; inset: 0; z-index: 2; display: grid; place-items: center; background: #0005; }
.progress > [role="progressbar"] { pointer-events: none; position: absolute; inset: 50% auto auto 50%;
  width: 52px; height: 52px;
  margin: -26px 0 0 -26px; border-radius: 50%;
  background: conic-gradient(var(--roost-accent) var(--progress, 0%), #fff6 0);
  mask: radial-gradient(closest-side, transparent 86%, #000 88%); }
.progress .icon-button { position: relative; color: #fff; background: #0009; }
.progress .icon-button:hover:enabled { color: #fff; background: #000c; }

.document { position: relative; display: block; min-width: 0; }
.document .open { display: flex; align-items: center; gap: 12px; min-height: 48px;
  min-width: 0; max-width: 100%; padding: 2px 4px 2px 0; border-radius: 10px; }
.sign { display: grid; place-items: center; flex: none; width: 44px; height: 44px; border-radius: 10px;
  color: var(--roost-accent); background: color-mix(in srgb, var(--roost-accent) 14%, transparent); }
.lines-of-file { display: grid; min-width: 0; }
.file-name { justify-self: start; overflow-wrap: anywhere; font-weight: 500; }
.document .progress, .voice .progress { inset: 2px auto auto 0; width: 44px; height: 44px; border-radius: 10px;
  background: var(--roost-surface); }
.document .progress > [role="progressbar"], .voice .progress > [role="progressbar"] { width: 40px; height: 40px;
  margin: -20px 0 0 -20px; background: conic-gradient(var(--roost-accent) var(--progress, 0%), var(--roost-line) 0); }
.document .progress .icon-button, .voice .progress .icon-button { width: 44px; height: 44px; background: none;
  color: var(--roost-text-2); }
.document:dir(rtl) .progress, .voice:dir(rtl) .progress { inset: 2px 0 auto auto; }

.voice { position: relative; display: flex; align-items: center; gap: 8px; width: 260px; max-width: 100%;
  min-height: 44px; }
.voice .icon-button { background: color-mix(in srgb, var(--roost-accent) 14%, transparent); }
.voice .hint { min-width: 3em; text-align: end; font-variant-numeric: tabular-nums; }
input[type="range"] { flex: 1; min-width: 0; height: 24px; margin: 0; accent-color: var(--roost-accent);
  cursor: pointer; }
@media (forced-colors: active) { .media, .document { border: 1px solid CanvasText; } }
`);export{o as a};
