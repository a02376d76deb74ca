import{a as e}from"./chunk-EMUUJ3G7.js";var o=e(`
.sent-at { padding: 6px 12px; font-size: var(--roost-size-1); color: var(--roost-text-2); }
.selectable { white-space: pre-wrap; overflow-wrap: anywhere; user-select: text; -webkit-user-select: text; }
.profile { display: grid; justify-items: center; gap: 6px; text-align: center; }
.profile h3 { font-size: var(--roost-size-4); display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
.profile .avatar { margin-bottom: 4px; }
.profile-actions { display: grid; gap: 2px; margin-inline: -12px; }
.menu .quick-reactions { display: flex; justify-content: space-between; gap: 2px; padding: 2px 2px 6px;
  margin-bottom: 6px; border-bottom: 1px solid var(--roost-line); }
.quick-reactions .emoji { width: 40px; height: 44px; font-size: 24px; text-align: center; border-radius: 10px; }
.quick-reactions .icon-button { width: 40px; }
@media (hover: hover) { .menu .emoji:hover { background: var(--roost-hover); } }
.menu .emoji:focus-visible { outline-offset: -2px; }
.menu [role="menu"]:empty { display: none; }
.people li { display: flex; align-items: center; gap: 12px; min-height: 48px; }
.people .check { flex: 1; min-width: 0; }
.excerpt { margin: 0; padding: 8px 12px; border-radius: 10px; background: var(--roost-surface-2);
  overflow-wrap: anywhere; }
.form { display: grid; gap: 16px; }
.form textarea { display: block; resize: vertical; }
.check .hint { display: block; }
.options { display: grid; gap: 8px; }
.form > .quiet { justify-self: start; }
.option-row { display: flex; gap: 4px; }
.presets { display: flex; flex-wrap: wrap; gap: 8px; }
`);export{o as a};
