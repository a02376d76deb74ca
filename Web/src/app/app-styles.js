import { css } from "../ui/styles.js";

/** The styles of the app around the chat: sign in, notices, settings. */
export const appStyles = css(`
:host { background: none; }
.screen { min-height: 100dvh; display: grid; place-items: center; padding: 24px 16px;
  padding-bottom: calc(24px + env(safe-area-inset-bottom, 0px)); }
.screen.over { position: fixed; inset: 0; z-index: 1; background: var(--roost-surface); color: var(--roost-text); }
.card .row { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; margin-top: 16px; }
.card { width: min(400px, 100%); display: grid; gap: 20px; }
.welcome { display: grid; justify-items: center; gap: 4px; text-align: center; }
.welcome img { width: 72px; height: 72px; margin-bottom: 8px; }
.welcome h1 { font-size: 26px; line-height: 1.2; letter-spacing: -.02em; }
.tabs { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 4px; padding: 4px; border-radius: 14px;
  background: var(--roost-surface-2); }
.tabs button { min-height: 44px; padding: 4px 10px; border-radius: 10px; text-align: center; font-weight: 600;
  color: var(--roost-text-2); }
.tabs button[aria-selected="true"] { color: var(--roost-text); background: var(--roost-surface);
  box-shadow: 0 1px 3px #0002; }
.form { display: grid; gap: 16px; }
.accounts { display: grid; }
.or { text-align: center; }
.accounts .item, .settings .wide .item { overflow-wrap: anywhere; }
.form textarea { min-height: 112px; resize: vertical; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
@media (max-width: 640px) { .form textarea { font-size: 16px; } }
.notice { display: flex; gap: 12px; align-items: start; padding: 12px 14px; border-radius: var(--roost-radius);
  background: var(--roost-surface-2); overflow-wrap: anywhere; }
.notice.bad { color: var(--roost-danger); }
.notice > svg { margin-top: 1px; }
.sign-in-question .person { display: flex; align-items: center; gap: 16px; padding: 16px; min-width: 0;
  border-radius: var(--roost-radius); background: var(--roost-surface-2); }
.sign-in-question .person > div { min-width: 0; overflow-wrap: anywhere; }
.sign-in-question .person .name { font-size: var(--roost-size-3); font-weight: 600; }
.sign-in-question h2, .sign-in-question .name { display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere; }
.dialog.sign-in-question h2 { padding: 0; margin: 8px 0; }
.sign-in-question [role="alert"]:empty { display: none; }
.languages { justify-self: center; display: flex; align-items: center; color: var(--roost-text-2); }
.languages select, .settings select { max-width: 100%; min-height: 44px; padding: 8px 12px; font-size: 16px;
  border: 1px solid var(--roost-line); border-radius: var(--roost-radius); background: var(--roost-surface); }
.languages select { border-color: transparent; color: var(--roost-text-2); background: none; }

.settings { display: grid; gap: 28px; }
.settings section { display: grid; gap: 12px; }
.settings h3 { font-size: var(--roost-size-1); font-weight: 600; color: var(--roost-text-2); }
.settings .row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.settings .row > .grow { flex: 1 1 200px; min-width: 0; }
.settings .choice { display: grid; grid-template-columns: repeat(auto-fit, minmax(104px, 1fr)); gap: 8px; }
.settings .choice label { position: relative; }
.settings .choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0;
  cursor: pointer; }
.settings .choice span { display: grid; place-items: center; gap: 4px; min-height: 64px; padding: 8px;
  text-align: center; font-size: var(--roost-size-1); border: 1px solid var(--roost-line);
  border-radius: var(--roost-radius); }
.settings .choice input:checked + span { border-color: var(--roost-accent); color: var(--roost-accent);
  box-shadow: inset 0 0 0 1px var(--roost-accent); font-weight: 600; }
.settings .choice input:focus-visible + span { outline: 2px solid var(--roost-accent); outline-offset: 2px; }
.settings .wide { margin-inline: -12px; }
.block { display: block; }
.settings-details { display: grid; }
.settings .times { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
@media (forced-colors: active) {
  .tabs button[aria-selected="true"], .settings .choice input:checked + span { outline: 2px solid Highlight; }
}
:host > .toasts { position: fixed; }
`);
