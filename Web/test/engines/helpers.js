// What a page gets together with each function that is run in it.
const everything = function* (root) {
  for (const element of root.querySelectorAll("*")) {
    yield element;
    if (element.shadowRoot) yield* everything(element.shadowRoot);
  }
};
const finishAnimations = () => {
  const visit = (root) => {
    for (const animation of root.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  };
  visit(document);
  for (const { shadowRoot } of everything(document)) if (shadowRoot) visit(shadowRoot);
};
const isShown = (element) => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
};
const findOpen = () => [...everything(document)].filter((element) => element.matches("dialog[open]"));
const topDialog = () => findOpen().at(-1);
const nameOf = (element) => (element.getAttribute("aria-label") ?? element.textContent).replace(/\s+/g, " ").trim();
const findAll = (selector, text) => {
  const dialog = topDialog();
  const all = [...everything(dialog ?? document), ...(dialog ? [dialog] : [])]
    .filter((element) => element.matches(selector) && isShown(element));
  if (text == null) return all;
  const same = all.filter((element) => nameOf(element) === text);
  return same.length ? same
    : all.filter((element) => nameOf(element).includes(text) || element.textContent.includes(text));
};
const find = (selector, text) => findAll(selector, text)[0];
const focused = () => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
};
const elementAt = (x, y) => {
  let element = document.elementFromPoint(x, y);
  while (element?.shadowRoot) {
    const inner = element.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
};
const askForMenu = (clientX, clientY) => elementAt(clientX, clientY).dispatchEvent(new PointerEvent("contextmenu", {
  bubbles: true, cancelable: true, composed: true, clientX, clientY, button: 2, pointerType: "mouse" }));
// Whether a press at the middle of an element reaches it. A label passes it on.
const isReached = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  let at = elementAt(left + width / 2, top + height / 2);
  const label = element.closest("label");
  for (; at; at = at.assignedSlot ?? at.parentNode ?? at.host) if (at === element || at === label) return true;
  return false;
};
const place = (selector, text) => {
  const element = find(selector, text);
  if (!element) return null;
  finishAnimations();
  if (!isReached(element)) element.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (!isReached(element)) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};
