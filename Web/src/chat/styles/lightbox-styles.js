import { css } from "../../ui/styles.js";

/** The styles of pictures and films over the whole page. */
export const lightboxStyles = css(`
.lightbox { position: fixed; inset: 0; width: 100vw; height: 100dvh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0;
  color: #fff; background: #000e; font: 400 var(--roost-size-2)/1.4 var(--roost-font); animation: roost-fade 120ms; }
.lightbox[open] { display: grid; grid-template-rows: auto 1fr; }
.lightbox header { display: flex; align-items: center; gap: 8px; padding: 8px; padding-inline-start: 16px; min-width: 0;
  z-index: 1; }
.lightbox .names { flex: 1; min-width: 0; display: grid; }
.lightbox .names .line { display: flex; gap: 12px; min-width: 0; }
.lightbox .about { font-size: var(--roost-size-1); color: #fffc; }
.lightbox header .icon-button { flex: none; }
.lightbox .quiet-text { color: #fffc; flex: none; }
.lightbox .icon-button { color: #fff; background: #fff2; }
.lightbox .icon-button:hover:enabled { color: #fff; background: #fff4; }
.lightbox:focus { outline: none; }
.lightbox [aria-disabled="true"] { opacity: .5; }
.lightbox :focus-visible { outline-color: #fff; }
.stage { overflow: hidden; touch-action: none; display: grid; place-items: center; min-height: 0; min-width: 0; }
.stage img, .stage video { max-width: calc(100% - 16px); max-height: calc(100dvh - 76px); object-fit: contain;
  border-radius: 6px; }
.instead { display: grid; justify-items: center; gap: 12px; }
.instead img { max-height: calc(100dvh - 140px); }
.previous, .next { position: absolute; inset-block-start: calc(50% - 22px); }
.previous { inset-inline-start: 12px; rotate: 180deg; }
.next { inset-inline-end: 12px; }
.lightbox :is(.previous, .next) { background: #0009; }
.stage.is-zoomed img { cursor: grab; }
.stage.is-zoomed img:active { cursor: grabbing; }
.stage img { user-select: none; -webkit-user-drag: none; }
@media (max-width: 480px) { .lightbox .zoom-button { display: none; } }
`);
