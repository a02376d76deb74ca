import { css } from "../../ui/styles.js";

/** Styles of the element itself: the list and the conversation side by side, or one of them where it is narrow. */
export const elementStyles = css(`
:host { display: flex; flex-direction: column; height: 100%; min-height: 240px; contain: layout; overflow: hidden;
  container-type: inline-size; }
/* Where the page gives it no height, it has one of its own. */
.frame { position: relative; display: flex; flex-direction: column; flex: 1 1 480px; height: 100%; min-height: 0;
  padding-bottom: var(--roost-keyboard, 0px); letter-spacing: normal; word-spacing: normal; text-transform: none; }
.panes { flex: 1; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; min-width: 0; }
.panes.has-list { grid-template-columns: clamp(280px, 32%, 380px) minmax(0, 1fr); }
.list-pane { min-width: 0; min-height: 0; border-inline-end: 1px solid var(--roost-line); }
.conversation-pane { position: relative; min-width: 0; min-height: 0; }
.placeholder { height: 100%; display: grid; place-content: center; justify-items: center; gap: 8px; padding: 24px;
  text-align: center; color: var(--roost-text-2); background: var(--roost-surface); }
.placeholder .icon { width: 48px; height: 48px; stroke-width: 1.25; color: var(--roost-accent); }
.placeholder h2 { color: var(--roost-text); }
.conversation.is-over .back { display: inline-grid; }
@container (max-width: 720px) {
  .panes.has-list { grid-template-columns: minmax(0, 1fr); }
  .list-pane { border: 0; }
  .panes.has-list > .conversation-pane, .panes.is-open > .list-pane { display: none; }
  .panes.is-open > .conversation-pane { display: block; }
  .panes.has-list .conversation .back { display: inline-grid; }
}
`);
