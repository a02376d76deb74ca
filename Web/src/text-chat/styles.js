const light = `
  color-scheme: light;
  --accent: var(--roost-accent, #0b6e5f);
  --on-accent: var(--roost-on-accent, #ffffff);
  --surface: var(--roost-surface, #ffffff);
  --surface-2: var(--roost-surface-2, #f3f5f4);
  --text: var(--roost-text, #15201e);
  --text-2: var(--roost-text-2, #55625f);
  --line: var(--roost-line, #dde3e1);
  --own: var(--roost-own, #e0f1ed);
  --danger: var(--roost-danger, #b3261e);
`;

const dark = `
  color-scheme: dark;
  --accent: var(--roost-accent, #3fb8a3);
  --on-accent: var(--roost-on-accent, #04211c);
  --surface: var(--roost-surface, #14181b);
  --surface-2: var(--roost-surface-2, #1d2327);
  --text: var(--roost-text, #e8eeec);
  --text-2: var(--roost-text-2, #a3b1ad);
  --line: var(--roost-line, #2d363a);
  --own: var(--roost-own, #17403a);
  --danger: var(--roost-danger, #ff8a80);
`;

/** The styles of the text chat. A page sets the tokens `--roost-…` on the element or on anything around it. */
export const styles = `
:host { ${light}
  --radius: var(--roost-radius, 12px);
  display: flex; flex-direction: column; box-sizing: border-box; overflow: hidden;
  inline-size: 100%; block-size: 100%; min-inline-size: 0; min-block-size: 0;
  color: var(--text); background: var(--surface); text-align: start;
  font: 400 15px/1.4 var(--roost-font,
    system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif);
  -webkit-text-size-adjust: 100%; -webkit-tap-highlight-color: transparent;
}
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${dark} } }
:host([theme="dark"]) { ${dark} }
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
p, ul { margin: 0; padding: 0; list-style: none; }
button, textarea { margin: 0; font: inherit; color: inherit; letter-spacing: inherit; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.unseen {
  position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}

.place { position: relative; flex: 1 1 0; min-block-size: 64px; }
.list {
  position: absolute; inset: 0; display: flex; flex-direction: column; overflow: hidden auto; padding: 12px 16px;
  overflow-anchor: none; overscroll-behavior: contain; scrollbar-width: thin;
  scrollbar-color: color-mix(in srgb, var(--text-2) 60%, transparent) transparent;
}
.list:focus-visible { outline-offset: -2px; }
.rows { inline-size: 100%; max-inline-size: 760px; margin: auto auto 0; }
.row { display: flex; flex-direction: column; align-items: flex-start; padding-block-start: 4px; }
.row.sent { align-items: flex-end; }
.row.whole { padding-block-start: 12px; }
.row.whole:not(:first-child) { margin-block-start: 12px; border-block-start: 1px solid var(--line); }
.head {
  display: flex; align-items: baseline; gap: 8px; max-inline-size: 100%; padding: 0 4px 4px; color: var(--text-2);
  font-size: 13px;
}
.name { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600;
  color: var(--text); }
time { flex: none; font-variant-numeric: tabular-nums; }
.bubble {
  max-inline-size: min(88%, 56ch); min-inline-size: 44px; padding: 8px 12px; overflow: clip;
  border: 1px solid transparent; border-radius: var(--radius); background: var(--surface-2);
}
.sent .bubble { background: var(--own); }
.row.whole .bubble { border-start-start-radius: 4px; }
.row.whole.sent .bubble { border-start-start-radius: var(--radius); border-start-end-radius: 4px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.status { display: flex; align-items: center; gap: 6px; padding: 4px 4px 0; color: var(--text-2); font-size: 13px; }
.status::before {
  content: ""; inline-size: 11px; block-size: 11px; border: 2px solid var(--line); border-top-color: var(--accent);
  border-radius: 50%; animation: turn .8s linear infinite;
}
.fresh { animation: rise .16s cubic-bezier(.2, .7, .2, 1); }
.empty {
  position: absolute; inset: 0; display: grid; place-content: center; padding: 24px; text-align: center;
  color: var(--text-2); pointer-events: none;
}

.banner {
  position: absolute; inset-inline: 0; inset-block-end: 12px; inline-size: fit-content;
  max-inline-size: calc(100% - 24px); min-block-size: 44px; margin: 0 auto; padding: 8px 16px;
  display: flex; align-items: center; gap: 8px; cursor: pointer; touch-action: manipulation;
  border: 1px solid transparent; border-radius: 22px; color: var(--on-accent); background: var(--accent);
  font-weight: 600; box-shadow: 0 4px 16px #0003;
  transition: opacity .3s, display .3s allow-discrete;
}
@starting-style { .banner { opacity: 0; } }
.banner[hidden] { opacity: 0; pointer-events: none; }
svg { flex: none; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }

.composer { flex: none; border-block-start: 1px solid var(--line); }
.inner {
  inline-size: 100%; max-inline-size: 792px; margin: 0 auto;
  padding: 8px 16px max(8px, env(safe-area-inset-bottom, 0px));
}
.line { display: flex; align-items: flex-end; gap: 8px; }
.field {
  flex: 1; min-inline-size: 0; block-size: 44px; max-block-size: 148px; padding: 10px 14px; resize: none;
  overflow: auto; scrollbar-width: thin; border: 1px solid color-mix(in srgb, var(--text-2) 70%, var(--surface));
  border-radius: 22px; background: var(--surface); font-size: 16px; line-height: 22px;
}
.field::placeholder { color: var(--text-2); opacity: 1; }
.field:focus-visible { outline-offset: -1px; }
.send {
  flex: none; display: grid; place-items: center; inline-size: 44px; block-size: 44px; padding: 0; cursor: pointer;
  touch-action: manipulation; border: 1px solid transparent; border-radius: 50%; color: var(--on-accent);
  background: var(--accent); transition: background-color .12s, color .12s;
}
.send.idle { color: var(--text-2); background: var(--surface-2); }
@media (hover: hover) { .send:not(.idle):hover, .banner:hover { filter: brightness(1.08); } }
.foot {
  display: flex; flex-wrap: wrap; align-items: flex-start; align-content: flex-start; column-gap: 16px;
  min-block-size: 26px; padding: 4px 8px 0; font-size: 13px;
}
.error { flex: 1 1 220px; min-inline-size: 0; color: var(--danger); font-weight: 600; transition: opacity .5s; }
.error p { display: flex; align-items: flex-start; gap: 6px; animation: fade .5s; }
.error svg { inline-size: 16px; block-size: 16px; margin-block-start: 1px; }
.error:lang(ko) { word-break: keep-all; overflow-wrap: anywhere; }
.error.leaving { opacity: 0; }
.counter { flex: none; margin-inline-start: auto; color: var(--text-2); text-align: end;
  font-variant-numeric: tabular-nums; }
.counter.low { color: var(--danger); font-weight: 600; }

@keyframes turn { to { transform: rotate(1turn); } }
@keyframes rise { from { opacity: 0; transform: translateY(6px); } }
@keyframes fade { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) {
  *, ::before { animation: none !important; transition: none !important; }
}
@media (forced-colors: active) {
  .banner, .send, .send.idle { border-color: ButtonText; color: ButtonText; background: ButtonFace; }
  .bubble { border-color: CanvasText; }
  .sent .bubble { border-color: Highlight; border-inline-end-width: 4px; }
  :focus-visible { outline-color: Highlight; }
}
`;
