import { css } from "../../ui/styles.js";

/** Styles of what is loaded after the first messages: albums, times, profiles, the selection of messages. */
export const extraStyles = css(`
.album { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 2px; width: 340px; max-width: 100%;
  border-radius: 12px; overflow: hidden; }
.album .cell { position: relative; min-width: 0; }
.album .media { width: 100%; height: 100%; aspect-ratio: auto; border-radius: 2px; }
.album .reactions { position: absolute; inset: auto 4px 4px; z-index: 1; padding: 0; flex-wrap: wrap;
  justify-content: flex-start; pointer-events: none; }
.album .reaction { pointer-events: auto; }

.side-time { align-self: center; flex: none; margin-inline: 2px; font-size: 12px; line-height: 16px;
  color: var(--roost-text-2); white-space: nowrap; font-variant-numeric: tabular-nums; }
@container (max-width: 560px) { .side-time { display: none; } }
.floating-date { position: absolute; inset: 8px 0 auto; z-index: 2; display: grid; place-items: center;
  pointer-events: none; visibility: hidden; translate: 0 -8px; transition: visibility 120ms, translate 120ms; }
.floating-date.is-shown { visibility: visible; translate: none; }
.floating-date > span { padding: 3px 12px; border-radius: 99px; background: var(--roost-surface-2);
  color: var(--roost-text-2); font-size: var(--roost-size-1); font-weight: 500; box-shadow: var(--roost-shadow); }

.selecting > .composer > :not(.selection-bar), .selecting > .typing, .selecting .message-row > .tools,
.selecting .side-time, .selecting .row > .more { display: none; }
.selecting .message-row { cursor: pointer; user-select: none; -webkit-user-select: none;
  padding-inline-start: max(52px, calc((100cqi - 960px) / 2 + 36px)); }
.selecting .message-row:has(.choice:checked) { background: color-mix(in srgb, var(--roost-accent) 12%, transparent); }
.choice { appearance: none; position: absolute; inset-block-start: calc(50% - 12px);
  inset-inline-start: max(14px, calc((100cqi - 960px) / 2 - 2px));
  width: 24px; height: 24px; margin: 0; border: 2px solid var(--roost-text-2); border-radius: 50%; cursor: pointer;
  background: var(--roost-surface); }
.choice:checked, .choice:indeterminate, .cell.is-chosen::after { border-color: var(--roost-accent);
  background: var(--roost-accent); }
.choice:checked::before, .cell.is-chosen::before { content: ""; position: absolute; inset: 4px 7px 6px; rotate: 45deg;
  border: solid var(--roost-on-accent); border-width: 0 2px 2px 0; }
.choice:indeterminate::before { content: ""; position: absolute; inset: 9px 4px; background: var(--roost-on-accent); }
.selecting .cell::after { content: ""; position: absolute; inset-block-start: 8px; inset-inline-end: 8px; z-index: 3;
  width: 24px; height: 24px; border: 2px solid #fff; border-radius: 50%; background: #0006; }
.selecting .cell.is-chosen::after { border-color: #fff; background: var(--roost-accent); }
.selecting .cell.is-chosen::before { inset: 12px auto auto auto; inset-inline-end: 16px; z-index: 4; width: 8px;
  height: 13px; border-color: var(--roost-on-accent); }
.selecting > .composer { border-top: 1px solid var(--roost-line); }
.selection-bar { display: flex; align-items: center; gap: 4px; padding-top: 12px; }
.selection-bar .count { flex: 1; min-width: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.selection-bar [aria-disabled="true"] { opacity: .5; cursor: default; }
@media (forced-colors: active) {
  .choice, .cell.is-chosen::after { forced-color-adjust: none; border-color: CanvasText; background: Canvas; }
  .choice:checked, .choice:indeterminate, .cell.is-chosen::after { background: Highlight; }
}
@container (max-width: 480px) {
  .selection-bar .button { padding-inline: 10px; }
  .selection-bar .button > span { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
}
`);
