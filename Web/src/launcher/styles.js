import { css, tokens } from "../ui/styles.js";

/** What a page may set on the launcher is for the chat in it, too, which has defaults of its own. */
const passedOn = ["accent", "on-accent", "surface", "surface-2", "text", "text-2", "line", "own", "danger", "radius",
  "font"].map((name) => `--roost-${name}: inherit;`).join(" ");

/** Styles of `<roost-launcher>`. */
export const launcherStyles = css(`${tokens}
:host { display: contents; background: none; }
roost-chat { ${passedOn} flex: 1; min-height: 0; }
.place { position: fixed; z-index: 2147483000; inset-block-end: var(--roost-launcher-block, 20px);
  inset-inline-end: var(--roost-launcher-inline, 20px); display: grid; justify-items: end; gap: 12px;
  pointer-events: none;
  color: var(--roost-text); font: 400 var(--roost-size-2)/1.4 var(--roost-font); text-align: start; }
.place > * { pointer-events: auto; }
.button { position: relative; width: 56px; height: 56px; min-height: 0; padding: 0; border-radius: 50%;
  color: var(--roost-on-accent); background: var(--roost-accent); box-shadow: var(--roost-shadow); }
.button .icon { width: 26px; height: 26px; }
.button:focus-visible, .greeting button:focus-visible { outline-offset: 3px; }
.badge { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-width: 22px; height: 22px;
  border-radius: 11px; color: var(--roost-surface); background: var(--roost-danger);
  box-shadow: 0 0 0 2px var(--roost-surface); }
.greeting { position: relative; width: max-content; max-width: min(280px, 100vw - 40px); display: flex;
  border-radius: var(--roost-radius); background: var(--roost-surface); box-shadow: var(--roost-shadow);
  animation: roost-rise 200ms var(--roost-ease); }
.greeting button { min-height: 44px; border-radius: var(--roost-radius); }
.words { padding-block: 10px; padding-inline: 14px 0; overflow-wrap: anywhere; min-width: 0; }
.dismiss { color: var(--roost-text-2); }
.panel { display: flex; flex-direction: column; overflow: hidden; width: min(400px, 100vw - 40px);
  height: min(640px, 100dvh - 56px - 12px - 2 * var(--roost-launcher-block, 20px)); border-radius: 16px;
  background: var(--roost-surface); box-shadow: var(--roost-shadow); overscroll-behavior: contain;
  animation: roost-rise 200ms var(--roost-ease); }
.head { display: flex; align-items: center; gap: 8px; flex: none; min-height: 52px; padding-inline: 16px 4px;
  color: var(--roost-on-accent); background: var(--roost-accent); }
.head h2 { flex: 1; }
.head .icon-button { color: inherit; }
.head .icon-button:focus-visible { outline-color: currentColor; outline-offset: -4px; }
@media (hover: hover) { .head .icon-button:hover:enabled { color: inherit; background: #fff3; } }
.waits { flex: 1; display: grid; place-content: center; justify-items: center; gap: 12px; padding: 24px;
  text-align: center; }
@media (max-width: 480px), (max-height: 480px) {
  .panel { position: fixed; inset: 0; width: 100%; height: 100dvh; border-radius: 0; box-shadow: none; }
  .panel:not([hidden]) ~ .button { display: none; }
}
@media (forced-colors: active) { .panel, .greeting { border: 1px solid CanvasText; } }
@media print { .place { display: none; } }
`);
