import{a as t}from"./chunk-EMUUJ3G7.js";var i=t(`
.channel-list {
  position: relative; display: flex; flex-direction: column; height: 100%; min-height: 0; min-width: 0;
  background: var(--roost-surface);
}
.channel-list > header { display: flex; align-items: center; gap: 4px; padding: 8px 8px 4px 16px; }
.channel-list > header h2 { flex: 1; min-width: 0; font-size: var(--roost-size-4); letter-spacing: -.01em;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.search { position: relative; display: block; margin: 4px 12px 8px; }
.search > svg { position: absolute; inset-block: 0; inset-inline-start: 12px; margin: auto 0;
  color: var(--roost-text-2); pointer-events: none; }
.search.inset { margin: 0; }
.search .input { padding-inline-start: 40px; border-color: transparent; background: var(--roost-surface-2);
  border-radius: 22px; }
.search .input::-webkit-search-cancel-button { cursor: pointer; }
.channels { flex: 1; min-height: 0; overflow: hidden auto; overflow-anchor: none; overscroll-behavior: contain;
  padding: 2px 8px calc(12px + env(safe-area-inset-bottom, 0px)); }

.open-channels { padding-bottom: 4px; }
.open-channels > .item > svg:last-child { width: 16px; height: 16px; }
.open-channels > .item { min-height: 44px; padding-inline: 12px; color: var(--roost-text-2); font-weight: 500; }

.channel { position: relative; content-visibility: auto; contain-intrinsic-size: auto 68px; }
.channel > .open {
  display: flex; align-items: center; gap: 12px; width: 100%; min-height: 66px; padding: 8px 10px;
  border-radius: var(--roost-radius); margin-block: 1px;
}
.channel > .open:focus-visible { outline-offset: -2px; }
.channel .lines { flex: 1; min-width: 0; display: grid; gap: 2px; }
.channel .line { display: flex; align-items: center; gap: 6px; min-width: 0; min-height: 21px; }
.channel .name { font-weight: 600; }
.channel .count { flex: none; color: var(--roost-text-2); font-size: var(--roost-size-1);
  font-variant-numeric: tabular-nums; }
.channel time { margin-inline-start: auto; flex: none; color: var(--roost-text-2); font-size: var(--roost-size-1); }
.channel .preview { flex: 1; color: var(--roost-text-2); unicode-bidi: plaintext; text-align: left; }
[dir="rtl"] .channel .preview { text-align: right; }
.channel .apart { display: flex; white-space: pre; }
.channel .apart > span { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; }
.channel .failed svg.icon { color: var(--roost-danger); }
.channel svg.icon { width: 15px; height: 15px; color: var(--roost-text-2); }
.channel .mention { width: 20px; height: 20px; padding: 3px; border-radius: 50%; color: var(--roost-on-accent);
  background: var(--roost-accent); }
.channel .mention svg { width: 14px; height: 14px; color: inherit; }
.channel .dot { width: 12px; min-width: 12px; height: 12px; padding: 0; }
.channel.unread .preview { color: var(--roost-text); }
.channel .preview.draft { color: var(--roost-danger); }
.channel .preview.is-typing { color: var(--roost-accent); }
.channel.unread time { color: var(--roost-accent); font-weight: 600; }
.channel > .more { position: absolute; inset-inline-end: 6px; inset-block-start: 3px; opacity: 0; width: 36px;
  height: 36px; }
.channel > .more:focus-visible { opacity: 1; }
.channel:has(> .more:focus-visible) time { visibility: hidden; }
.channel > .open[aria-current="true"] { background: var(--roost-own); }
@media (hover: hover) {
  .channel > .open:hover:not([aria-current="true"]) { background: var(--roost-hover); }
  .channel:hover > .more { opacity: 1; }
  .channel:hover time { visibility: hidden; }
}
@media (hover: none) { .channel > .more:not(:focus-visible) { pointer-events: none; } }
@media (forced-colors: active) {
  .channel > .open[aria-current="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
}

.invitations { display: grid; gap: 8px; padding: 4px 2px 12px; }
.invitations h3, .section-title { font-size: var(--roost-size-1); color: var(--roost-text-2); font-weight: 600;
  padding: 4px 8px 0; }
.dialog .section-title { padding-inline: 0; }
.invitation { display: grid; gap: 10px; padding: 12px; border-radius: var(--roost-radius);
  background: var(--roost-surface-2); }
.invitation > div { display: flex; gap: 8px; flex-wrap: wrap; }
.invitation > .about { align-items: center; flex-wrap: nowrap; overflow-wrap: anywhere; }
.invitation .button { flex: 1; }
.invitation .button:not(.primary) { background: var(--roost-surface); }
.list-state { display: grid; justify-items: center; gap: 10px; padding: 32px 20px; text-align: center;
  color: var(--roost-text-2); }
.list-state > strong { color: var(--roost-text); font-size: var(--roost-size-3); font-weight: 600; }
.list-state > .icon { width: 40px; height: 40px; opacity: .7; }
.list-state.small { padding: 16px; }
.list-state .actions { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; }
.skeleton { display: flex; align-items: center; gap: 12px; height: 68px; padding: 0 10px; }
.skeleton::before { content: ""; flex: none; width: 44px; height: 44px; border-radius: 50%; }
.skeleton::after { content: ""; flex: 1; height: 32px; border-radius: 8px; max-width: 75%; }
.skeleton::before, .skeleton::after { background: var(--roost-surface-2);
  animation: roost-breathe 1.4s ease-in-out infinite alternate; }
@keyframes roost-breathe { to { opacity: .5; } }

.people { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; }
.person { display: flex; align-items: center; gap: 12px; width: 100%; min-height: 52px; padding: 6px 8px;
  border-radius: var(--roost-radius); }
.person > .grow { flex: 1; min-width: 0; }
.person .grow > * { display: block; width: fit-content; max-width: 100%; overflow-wrap: anywhere; }
.person .grow > bdi, .details-top h3 { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
  overflow: hidden; }
button.person:focus-visible { outline-offset: -2px; }
.person[aria-current] { background: var(--roost-own); }
.person > svg { color: var(--roost-accent); }
.person.plain { background: none; }
@media (hover: hover) { button.person:hover { background: var(--roost-hover); } }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chips:empty { display: none; }
.chip { display: inline-flex; align-items: center; gap: 4px; max-width: 100%; min-height: 36px; padding-inline: 12px 0;
  border-radius: 18px; background: var(--roost-own); font-weight: 500; }
.chip .icon-button { width: 36px; height: 36px; }
.with-button { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 8px; }
.with-button > .field { display: contents; }
.with-button > .field > span { grid-column: 1 / -1; }
.with-button > .button { grid-area: 2 / 2; align-self: end; }
@media (max-width: 480px) {
  .with-button { grid-template-columns: minmax(0, 1fr); }
  .with-button > .button { grid-area: auto; }
}

.details-top { display: grid; justify-items: center; gap: 6px; text-align: center; padding-top: 4px; }
.details-top h3 { font-size: var(--roost-size-4); overflow-wrap: anywhere; }
.details-top .avatar { margin-bottom: 4px; }
.details-actions { display: grid; gap: 2px; margin-inline: -12px; }
.details-actions .item > .grow { overflow-wrap: anywhere; }
.details-actions .item > .grow > .hint { display: block; }
.switch { flex: none; position: relative; width: 40px; height: 24px; border-radius: 12px;
  background: var(--roost-text-2); transition: background-color var(--roost-fast); }
.switch::after { content: ""; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; width: 18px;
  height: 18px; border-radius: 50%; background: var(--roost-surface);
  transition: inset-inline-start var(--roost-fast) var(--roost-ease); }
[aria-checked="true"] > .switch { background: var(--roost-accent); }
[aria-checked="true"] > .switch::after { inset-inline-start: 19px; }
@media (forced-colors: active) {
  .switch { border: 1px solid ButtonText; forced-color-adjust: none; background: Canvas; }
  .switch::after { background: ButtonText; inset-block-start: 2px; }
  [aria-checked="true"] > .switch { background: Highlight; }
}
.role { flex: none; padding: 2px 8px; border-radius: 10px; font-size: 12px; font-weight: 500;
  color: var(--roost-text-2); background: var(--roost-surface-2); }
`);function a(o){let e=o.getRootNode();!(e instanceof ShadowRoot)||e.adoptedStyleSheets.includes(i)||(e.adoptedStyleSheets=[...e.adoptedStyleSheets,i])}export{a};
