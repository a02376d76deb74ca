import { css } from "../../ui/styles.js";

/** The styles of the emoji picker. Adopt it after those of the dialogs. */
export const emojiStyles = css(`
.menu.emoji-picker { width: min(356px, calc(100vw - 16px)); padding: 8px; overflow: hidden; display: flex;
  flex-direction: column; gap: 4px; }
.menu.emoji-picker.sheet { width: 100vw; height: 60dvh; padding-bottom: env(safe-area-inset-bottom, 0px); }
.emoji-top { display: flex; align-items: center; gap: 4px; }
.emoji-top .search { flex: 1; min-width: 0; position: relative; margin: 0; }
.emoji-top .search:has([hidden]) { visibility: hidden; }
.emoji-top .search > svg { position: absolute; inset-block: 0; inset-inline-start: 12px; margin: auto 0;
  color: var(--roost-text-2); pointer-events: none; }
.emoji-top .search .input { padding-inline-start: 40px; border-color: transparent; background: var(--roost-surface-2);
  border-radius: 22px; }
.emoji-picker .emoji { text-align: center; line-height: 1; border-radius: 10px; }
.emoji-picker .emoji-top > .emoji { flex: none; width: 44px; height: 44px; font-size: 22px; }
.emoji-tones { display: flex; }
.emoji-tones[hidden] { display: none; }
.emoji-tones .emoji { flex: 1; height: 44px; font-size: 24px; }
.emoji-tones [aria-checked="true"] { background: var(--roost-own); }
.emoji-tabs { display: flex; border-bottom: 1px solid var(--roost-line); padding-bottom: 4px; }
.emoji-tabs .emoji { flex: 1; min-width: 0; height: 44px; font-size: 18px; filter: grayscale(.4); }
.emoji-groups { position: relative; height: 300px; overflow: hidden auto; flex: 1 1 auto; }
.emoji-groups section { content-visibility: auto; contain-intrinsic-size: auto 600px; }
.emoji-groups h3 { padding: 10px 6px 4px; font-size: var(--roost-size-1); color: var(--roost-text-2); }
.emoji-groups .hint { padding: 24px 12px; text-align: center; overflow-wrap: anywhere; }
.emoji-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(40px, 1fr)); }
.emoji-grid .emoji { height: 44px; font-size: 24px; }
@media (forced-colors: active) {
  .emoji-tones [aria-checked="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
}
`);
