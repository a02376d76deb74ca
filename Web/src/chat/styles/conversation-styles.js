import { css } from "../../ui/styles.js";

/** Styles of a conversation: header, rows, bubbles, separators. Adopt it after the base styles. */
export const conversationStyles = css(`
.conversation {
  position: relative; display: flex; flex-direction: column; height: 100%; min-width: 0; min-height: 0;
  background: var(--roost-surface); overflow: hidden; container-type: inline-size;
}
.conversation-header {
  display: flex; align-items: center; gap: var(--roost-space-2); min-height: 60px; padding: 8px 8px 8px 16px;
  border-bottom: 1px solid var(--roost-line); flex: none;
}
.conversation-header:dir(rtl) { padding: 8px 16px 8px 8px; }
.conversation-header .back { display: none; margin-inline-start: -12px; }
.conversation-header > .about { flex: 1; display: flex; align-items: center; gap: var(--roost-space-2); min-width: 0;
  min-height: 44px; }
.conversation-header > .opens { cursor: pointer; }
.titles { flex: 1; min-width: 0; }
.titles h2 { line-height: 1.25; }
.timeline { position: relative; flex: 1; min-height: 0; }
.scroller {
  position: absolute; inset: 0; overflow: hidden auto; overflow-anchor: none; overscroll-behavior: contain;
  contain: strict; -webkit-overflow-scrolling: touch;
}
.rows { display: flex; flex-direction: column; justify-content: flex-end; min-height: 100%; }
.row { position: relative; flex: none; padding: 1px max(16px, calc((100cqi - 960px) / 2)); }
.row:focus { outline: none; }
.row:focus-visible { outline: 2px solid var(--roost-accent); outline-offset: -3px; border-radius: 10px; }

.day-row { display: grid; place-items: center; padding-block: 16px 8px; }
.day { padding: 3px 12px; border-radius: 99px; background: var(--roost-surface-2); color: var(--roost-text-2);
  font-size: var(--roost-size-1); font-weight: 500; }
.unread-row { display: flex; align-items: center; gap: 12px; padding-block: 12px 8px; color: var(--roost-accent); }
.unread-row::before, .unread-row::after { content: ""; flex: 1; border-top: 1px solid currentColor; opacity: .5; }
.unread-label { font-size: var(--roost-size-1); font-weight: 600; }
.line-row { padding-block: 6px; text-align: center; color: var(--roost-text-2); font-size: var(--roost-size-1); }
.server-line { display: inline-block; max-width: 46em; overflow-wrap: anywhere; }

.message-row { display: flex; gap: 8px; padding-top: 8px; }
.message-row.grouped { padding-top: 1px; }
.message-row.own { flex-direction: row-reverse; }
.avatar-column { width: 32px; flex: none; padding-top: 2px; }
.grouped .avatar-column { visibility: hidden; }
.column { display: flex; flex-direction: column; align-items: flex-start; min-width: 0; max-width: min(76%, 600px); }
.own .column { align-items: flex-end; }
.sender { padding: 0 12px 2px; font-size: var(--roost-size-1); font-weight: 600; color: var(--roost-text-2);
  overflow-wrap: anywhere; }
.sender:not(.visually-hidden) bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
  overflow: hidden; }
.sender > button { border-radius: 4px; }
.avatar-column > .avatar { cursor: pointer; }
@media (hover: hover) { .sender > button:hover { text-decoration: underline; } }
.bubble {
  position: relative; max-width: 100%; min-width: 0; padding: 7px 12px; border-radius: 16px;
  background: var(--roost-surface-2); overflow-wrap: anywhere;
}
.own .bubble { background: var(--roost-own); }
.other .bubble { border-start-start-radius: 5px; }
.own .bubble { border-end-end-radius: 5px; }
.single .other .bubble { border-radius: 16px; border-end-start-radius: 5px; }
.text { white-space: pre-wrap; text-align: start; overflow-x: clip; overflow-clip-margin: 6px; }
.text::after { content: ""; display: block; clear: both; }
.with-icon { display: inline-flex; gap: 8px; align-items: flex-start; }
.words.is-emoji { font-size: 40px; line-height: 1.15; letter-spacing: 2px; }
.bubble.is-bare { background: none; padding-inline: 4px; }
.words .mention { font-weight: 600; color: var(--roost-accent); }
.words .mention.is-me { padding: 1px 4px; margin-inline: -2px; border-radius: 5px; color: var(--roost-text);
  background: var(--roost-mark); }
.host { color: var(--roost-text-2); }
.fold { color: var(--roost-accent); font-weight: 600; min-height: 32px; }
.meta {
  float: inline-end; display: inline-flex; align-items: center; gap: 3px; min-height: 16px; margin: 5px 0 -4px 8px;
  font-size: 12px; line-height: 16px; color: var(--roost-text-2); white-space: nowrap;
  font-variant-numeric: tabular-nums; user-select: none;
}
.text:dir(rtl) > .meta { margin: 5px 8px -4px 0; }
.meta .icon { width: 15px; height: 15px; }
.bubble > .meta { float: none; display: flex; justify-content: flex-end; margin: 2px -2px -4px 0; }
.bubble .meta:not(:has(:not(.visually-hidden))) { margin: 0; min-height: 0; }
.failed .meta .icon { color: var(--roost-danger); }
.marks { display: inline-flex; align-items: center; gap: 2px; }
.unread-by { padding-inline-end: 3px; }
.recalled .words, .announcement .sender { font-style: italic; }
.recalled { color: var(--roost-text-2); background: none !important; box-shadow: inset 0 0 0 1px var(--roost-line); }
.announcement .bubble { background: var(--roost-mark); border-radius: 16px; }
.announcement .meta { color: inherit; }
.forwarded { display: flex; align-items: center; gap: 4px; font-size: var(--roost-size-1); color: var(--roost-text-2); }
.forwarded .icon { width: 16px; height: 16px; }

.quote { display: grid; gap: 0; padding: 2px 10px; min-width: 0; font-size: var(--roost-size-1); line-height: 1.35;
  border-inline-start: 3px solid var(--roost-accent); color: var(--roost-text-2); }
.quote-name { display: flex; align-items: center; gap: 4px; color: var(--roost-accent); font-weight: 600; }
.quote-name .icon { width: 14px; height: 14px; }
.quote-button { display: block; width: 100%; max-width: 100%; min-height: 44px; margin: 1px 0 4px; padding: 4px 0;
  border-radius: 6px; }
.quote-button .quote { max-width: 100%; }
.has-media .quote-button { width: calc(100% - 16px); margin: 2px 8px 4px; }

.has-media { padding: 4px; overflow: hidden; }
.media { position: relative; display: block; width: var(--width); max-width: 100%; aspect-ratio: var(--ratio);
  border-radius: 12px; overflow: hidden; background: color-mix(in srgb, var(--roost-text) 8%, transparent); }

.reactions { display: flex; flex-wrap: wrap; gap: 4px; padding: 3px 2px 3px; }
.own .reactions { justify-content: flex-end; }
.reaction { display: inline-flex; align-items: center; gap: 5px; min-height: 30px; min-width: 44px; padding: 2px 10px;
  justify-content: center; border-radius: 15px; border: 1px solid var(--roost-line); background: var(--roost-surface);
  font-size: var(--roost-size-1); font-variant-numeric: tabular-nums; }
.reaction .emoji { font-size: 16px; line-height: 1; }
.reaction[aria-pressed="true"] { background: var(--roost-own); border-color: var(--roost-accent); font-weight: 600; }
.emoji { font-family: "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", var(--roost-font); }

.failure-row { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 0 12px;
  padding: 2px 4px; text-align: end; }
.failure-actions { display: flex; gap: 4px; }
.text-button { min-height: 32px; padding: 0 8px; font-size: var(--roost-size-1); font-weight: 600;
  color: var(--roost-accent); }
.text-button:hover { text-decoration: underline; }

.more, .tools { align-self: center; flex: none; }
.more { opacity: 0; margin-inline: -4px; }
.tools { position: absolute; inset-block-start: 50%; translate: 0 -50%; display: none; gap: 0; }
.message-row:hover > .more, .row:focus-within > .more, .more:focus-visible { opacity: 1; }
@media (hover: hover) and (pointer: fine) {
  .message-row .more, .tools .icon-button { width: 36px; height: 36px; }
  .message-row:hover > .tools { position: static; translate: none; display: inline-flex; margin-inline: -4px; }
}
@media (hover: none) {
  .row > .more { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .row > .more:focus-visible { position: static; width: 44px; height: 44px; clip-path: none; }
  .message-row { user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; }
}

.typing { flex: none; height: 22px; padding: 0 max(16px, calc((100cqi - 960px) / 2));
  font-size: var(--roost-size-1); line-height: 20px; color: var(--roost-text-2); }
.page-loading { position: absolute; inset: 8px 0 auto; display: grid; place-items: center; pointer-events: none; }
.page-loading .spinner { background: var(--roost-surface); box-shadow: 0 0 0 6px var(--roost-surface); }
.empty { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 16px;
  padding: 24px; text-align: center; color: var(--roost-text-2); }
.empty[data-state="loading"] .spinner { animation-delay: 0s; }
.jump {
  position: absolute; inset-block-end: 8px;
  inset-inline-end: max(16px, calc((100cqi - 960px) / 2)); display: inline-flex; align-items: center; gap: 8px;
  min-width: 44px; min-height: 44px; padding: 0 12px; justify-content: center; border-radius: 22px; font-weight: 600;
  font-size: var(--roost-size-1); color: var(--roost-accent); background: var(--roost-surface);
  box-shadow: var(--roost-shadow); animation: roost-rise 140ms var(--roost-ease);
}
.jump-text:empty { display: none; }
.is-found .bubble { animation: roost-found 1.6s ease-out; }
@keyframes roost-found {
  0%, 40% { box-shadow: 0 0 0 3px var(--roost-accent); }
  100% { box-shadow: 0 0 0 3px transparent; }
}
.mirror:dir(rtl) { transform: scaleX(-1); }
.grow { flex: 1; min-width: 0; }

@container (max-width: 560px) {
  .conversation-header .back { display: inline-grid; }
  .row { padding-inline: 10px; }
  .column { max-width: 84%; }
  .other:not(:has(.avatar-column)) .column { max-width: 88%; }
  .message-row:hover > .tools { display: none; }
}
@media (pointer: coarse) { .reaction, .text-button { min-height: 44px; } .reaction { border-radius: 22px; } }
@media (forced-colors: active) {
  .bubble, .day, .jump, .reaction { border: 1px solid CanvasText; }
  .reaction[aria-pressed="true"] { border: 2px solid Highlight; }
  .mention.is-me { outline: 1px solid Highlight; }
}
`);
