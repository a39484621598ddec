/**
 * Gives the focus back to an element as soon as it can take it, unless something else has it by then. Returns the function
 * that ends it.
 */
export function focusAgain(element: Element | null): () => void {
  const hasOther = () => document.activeElement !== null && document.activeElement !== document.body;
  if (!(element instanceof HTMLElement) || hasOther()) return () => {};
  const stop = () => {
    watching.disconnect();
    document.removeEventListener('focusin', stop);
  };
  // A button cannot have the focus while it is disabled.
  const watching = new MutationObserver(() => element.focus());
  watching.observe(element, { attributes: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', stop);
  element.focus();
  return stop;
}
