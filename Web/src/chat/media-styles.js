import { css } from "../ui/styles.js";

/** Styles of files and of the field of a conversation. Adopt it after those of the conversation. */
export const mediaStyles = css(`
.has-media { padding: 4px; overflow: hidden; }
.has-media .text { padding: 5px 8px 3px; max-width: 340px; }
.has-media .forwarded { padding: 2px 8px; }
.media { position: relative; display: block; width: var(--width); max-width: 100%; aspect-ratio: var(--ratio);
  border-radius: 12px; overflow: hidden; background: color-mix(in srgb, var(--roost-text) 8%, transparent); }
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

.composer { flex: none; padding: 0 12px calc(12px + env(safe-area-inset-bottom, 0px));
  padding-inline: max(12px, calc((100cqi - 960px) / 2)); }
.bar { position: relative; border: 1px solid var(--roost-line); border-radius: 24px; background: var(--roost-surface);
  transition: border-color var(--roost-fast); }
.bar:focus-within { border-color: var(--roost-accent); }
.note { margin: 0; padding: 12px; text-align: center; color: var(--roost-text-2); border-radius: 16px;
  background: var(--roost-surface-2); }
.bar > .line { display: flex; align-items: flex-end; padding: 1px; }
.grow-field { flex: 1; min-width: 0; display: grid; max-height: min(40dvh, 240px); overflow: hidden; }
.grow-field::after { content: attr(data-text) " "; visibility: hidden; }
.grow-field::after, .field-text { grid-area: 1 / 1; font: 400 16px/22px var(--roost-font); padding: 11px 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; max-height: min(40dvh, 240px); }
.field-text { width: 100%; resize: none; border: 0; background: none; color: var(--roost-text); margin: 0;
  overflow: hidden auto; }
.field-text:focus-visible { outline: none; }
/* An empty field with dir="auto" is left-to-right. */
[dir="rtl"] .field-text:placeholder-shown { direction: rtl; }
.field-text::placeholder { color: var(--roost-text-2); opacity: 1; overflow: hidden; white-space: nowrap; }
.counter { display: block; padding: 0 16px 8px; font-size: var(--roost-size-1); color: var(--roost-text-2);
  text-align: end; }
.counter.is-near { color: var(--roost-danger); font-weight: 600; }
.replying { display: flex; align-items: center; gap: 4px; padding: 6px 1px 0 12px; }
.replying:dir(rtl) { padding: 6px 12px 0 1px; }
.replying .quote { flex: 1; }
.scheduled { padding: 4px 4px 0; border-bottom: 1px solid var(--roost-line); }
.scheduled > .item { font-size: var(--roost-size-1); color: var(--roost-text-2); border-radius: 18px; }
.scheduled [aria-expanded="true"] .icon:last-child { rotate: 180deg; }
.scheduled ul { max-height: 30dvh; overflow: auto; }
.scheduled li { display: flex; align-items: center; gap: 8px; min-height: 52px; padding: 4px 4px 4px 12px; }
.scheduled li .grow { display: grid; }
.recording-line { flex: 1; display: flex; align-items: center; gap: 8px; font-variant-numeric: tabular-nums; }
.recording .dot { width: 10px; height: 10px; border-radius: 50%; background: var(--roost-danger);
  animation: roost-blink 1.2s ease-in-out infinite alternate; }
@keyframes roost-blink { to { opacity: .25; } }
@container (max-width: 560px) {
  .composer { padding: 0 8px calc(8px + env(safe-area-inset-bottom, 0px)); }
}
@container (max-width: 380px) { .emoji-button { display: none; } }
@media (forced-colors: active) { .media, .bar, .document { border: 1px solid CanvasText; } }
`);
