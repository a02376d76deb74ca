import { css } from "./styles.js";

/** The styles of dialogs and menus; these adopt it when they open. */
export const overlayStyles = css(`
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
`);
