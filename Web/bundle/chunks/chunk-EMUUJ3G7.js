function a(r){let o=globalThis.CSSStyleSheet&&new CSSStyleSheet;return o?.replaceSync(r),o}function n(r,o){let t=r.getRootNode();!(t instanceof ShadowRoot)||t.adoptedStyleSheets.includes(o)||(t.adoptedStyleSheets=[...t.adoptedStyleSheets,o])}var e=`
  color-scheme: dark;
  --roost-accent: #3fb8a3;
  --roost-on-accent: #04211c;
  --roost-surface: #14181b;
  --roost-surface-2: #1d2327;
  --roost-text: #e8eeec;
  --roost-text-2: #a3b1ad;
  --roost-line: #2d363a;
  --roost-own: #17403a;
  --roost-danger: #ff8a80;
  --roost-hover: #ffffff12;
  --roost-mark: #4a3f16;
  --roost-shade: #000000b3;
  --roost-shadow: 0 8px 28px #0009, 0 0 0 1px #ffffff14;
`,s=`
:host {
  color-scheme: light;
  --roost-accent: #0b6e5f;
  --roost-on-accent: #ffffff;
  --roost-surface: #ffffff;
  --roost-surface-2: #f3f5f4;
  --roost-text: #15201e;
  --roost-text-2: #55625f;
  --roost-line: #dde3e1;
  --roost-own: #e0f1ed;
  --roost-danger: #b3261e;
  --roost-hover: #0b1f1b0d;
  --roost-mark: #fff3c4;
  --roost-shade: #0b1512a6;
  --roost-shadow: 0 8px 28px #0b1f1b29, 0 0 0 1px #0b1f1b14;
  --roost-radius: 12px;
  --roost-font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --roost-size-1: 13px; --roost-size-2: 15px; --roost-size-3: 17px; --roost-size-4: 20px;
  --roost-space-1: 4px; --roost-space-2: 8px; --roost-space-3: 12px; --roost-space-4: 16px; --roost-space-5: 24px;
  --roost-fast: 120ms; --roost-ease: cubic-bezier(.2, .7, .2, 1);
  display: block;
  color: var(--roost-text);
  background: var(--roost-surface);
  font: 400 var(--roost-size-2)/1.4 var(--roost-font);
  text-align: start;
  -webkit-text-size-adjust: 100%;
  -webkit-tap-highlight-color: transparent;
}
@media screen and (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${e} } }
@media screen { :host([theme="dark"]) { ${e} } }
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; font: inherit; list-style: none; }
h1, h2, h3 { font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: var(--roost-size-3); }
a { color: var(--roost-accent); text-underline-offset: 2px; overflow-wrap: anywhere; }
img, video { max-width: 100%; }
svg.icon { width: 1.25em; height: 1.25em; flex: none; display: block; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--roost-accent); outline-offset: 2px; }
* { scrollbar-width: thin; scrollbar-color: var(--roost-line) transparent; }

button, input, textarea, select { font: inherit; color: inherit; letter-spacing: inherit; }
button {
  appearance: none; border: 0; background: none; padding: 0; margin: 0; cursor: pointer; text-align: inherit;
  touch-action: manipulation; border-radius: 8px;
}
button:disabled { cursor: default; opacity: .5; }
.button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--roost-space-2);
  min-height: 44px; padding: 8px 16px; border-radius: var(--roost-radius); font-weight: 600;
  color: var(--roost-text); background: var(--roost-surface-2);
  transition: background-color var(--roost-fast), opacity var(--roost-fast);
}
.button.primary { color: var(--roost-on-accent); background: var(--roost-accent); }
.button.danger { color: var(--roost-danger); }
.button.quiet { background: none; color: var(--roost-accent); padding-inline: 8px; }
.icon-button {
  display: inline-grid; place-items: center; flex: none; width: 44px; height: 44px; border-radius: 50%;
  color: var(--roost-text-2); transition: background-color var(--roost-fast), color var(--roost-fast);
}
.icon-button.primary { color: var(--roost-accent); }
@media (hover: hover) {
  .icon-button:hover:enabled { background: var(--roost-hover); color: var(--roost-text); }
  .icon-button.primary:hover:enabled { color: var(--roost-accent); }
  .button:hover:enabled { box-shadow: inset 0 0 0 99px var(--roost-hover); }
  .item:hover:not([aria-disabled="true"]) { background: var(--roost-hover); }
}
.icon-button[aria-pressed="true"] { color: var(--roost-accent); background: var(--roost-hover); }

.badge {
  display: inline-grid; place-items: center; min-width: 20px; height: 20px; padding: 0 6px; border-radius: 10px;
  font: 600 12px/1 var(--roost-font); font-variant-numeric: tabular-nums;
  color: var(--roost-on-accent); background: var(--roost-accent);
}
.ellipsis { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.visually-hidden {
  position: absolute !important; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.spinner {
  width: 20px; height: 20px; border-radius: 50%; border: 2px solid var(--roost-line);
  border-top-color: var(--roost-accent); animation: roost-turn .8s linear infinite;
}
@keyframes roost-turn { to { transform: rotate(1turn); } }
@keyframes roost-rise { from { opacity: 0; transform: translateY(8px); } }
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after, ::backdrop {
    animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition-duration: 1ms !important;
    scroll-behavior: auto !important;
  }
}
`;export{a,n as b,s as c};
