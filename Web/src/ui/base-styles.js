import { css, tokens } from "./styles.js";

/**
 * The base styles that every part of the chat shares: the tokens with theirs, fields and toasts; dialogs and menus
 * bring their own. Adopt it in the shadow root.
 */
export const baseStyles = css(`${tokens}
.field { display: grid; gap: var(--roost-space-1); }
.field > span, .label { font-size: var(--roost-size-1); color: var(--roost-text-2); font-weight: 500; }
.input {
  width: 100%; min-height: 44px; padding: 10px 12px; font-size: 16px; border-radius: var(--roost-radius);
  border: 1px solid var(--roost-line); background: var(--roost-surface); color: var(--roost-text);
}
.input::placeholder { color: var(--roost-text-2); opacity: 1; }
.input:focus-visible { outline-offset: -1px; }
.input[aria-invalid="true"] { border-color: var(--roost-danger); outline-color: var(--roost-danger); }
.check { display: flex; align-items: center; gap: var(--roost-space-3); min-height: 44px; cursor: pointer; }
.check input { width: 20px; height: 20px; margin: 0; flex: none; accent-color: var(--roost-accent); }
.error-text, .field > .error-text { color: var(--roost-danger); font-size: var(--roost-size-1); }
.hint { color: var(--roost-text-2); font-size: var(--roost-size-1); }

.avatar {
  --size: 36px; position: relative; flex: none; display: grid; place-items: center; overflow: hidden;
  width: var(--size); height: var(--size); border-radius: 50%; user-select: none;
  color: #fff; background: var(--tint, #4a5a57); font: 600 calc(var(--size) * .4)/1 var(--roost-font);
}
.avatar:has(> img) { background: none; color: transparent; }
.avatar img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.badge.muted { color: var(--roost-surface); background: var(--roost-text-2); }
.quiet-text { color: var(--roost-text-2); }
@keyframes roost-fade { from { opacity: 0; } }

.item {
  display: flex; align-items: center; gap: 12px; width: 100%; min-height: 44px; padding: 6px 12px;
  border-radius: 9px; overflow-wrap: anywhere;
}
.item > svg { color: var(--roost-text-2); }
.item.danger, .item.danger > svg { color: var(--roost-danger); }
.item > .grow { flex: 1; min-width: 0; }
.item[aria-disabled="true"] { opacity: .5; }
.item:focus-visible { outline-offset: -2px; }

.connection { display: flex; align-items: center; justify-content: center; gap: 8px; min-height: 36px; flex: none;
  padding: 6px 16px; text-align: center; font-size: var(--roost-size-1); font-weight: 500; color: var(--roost-text);
  background: var(--roost-mark); }
.connection .icon { width: 16px; height: 16px; }
.connection button { min-height: 36px; margin-block: -6px; padding: 0 8px; font-weight: 600; text-decoration: underline;
  white-space: nowrap; }
.toasts {
  position: absolute; inset-inline: 0; bottom: 16px; z-index: 9; display: grid; justify-items: center; gap: 8px;
  padding: 0 16px; pointer-events: none;
}
.toast {
  display: flex; align-items: center; gap: 4px; max-width: 480px; padding: 0 4px 0 16px; min-height: 48px;
  border-radius: var(--roost-radius); color: var(--roost-surface); background: var(--roost-text);
  box-shadow: var(--roost-shadow); pointer-events: auto; animation: roost-rise 160ms var(--roost-ease);
}
.toast > span { flex: 1; padding: 10px 0; overflow-wrap: anywhere; }
.toast button { color: inherit; }
.toast .button { background: none; text-decoration: underline; text-underline-offset: 3px; }

@media (forced-colors: active) {
  .button, .input, .badge, .toast, .avatar { border: 1px solid CanvasText; }
  .button.primary { border-width: 2px; }
  :focus-visible { outline-color: Highlight; }
  .icon-button[aria-pressed="true"] { outline: 2px solid Highlight; }
}
`);
