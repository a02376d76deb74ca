/**
 * Tells that something has changed, at most once per turn of the event loop.
 * @param {EventTarget} target gets `change`
 * @returns {() => void}
 */
export function oncePerTurn(target) {
  let isTelling = false;
  return () => {
    if (isTelling) return;
    isTelling = true;
    queueMicrotask(() => {
      isTelling = false;
      target.dispatchEvent(new Event("change"));
    });
  };
}
