import type { Page } from 'playwright-core';

/** Pastes a text into the field that has the focus, as a person does. */
export function paste(page: Page, text: string): Promise<void> {
  return page.evaluate(dispatchPaste, text);
}

function dispatchPaste(text: string): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { ClipboardEvent, DataTransfer, document } = globalThis as any;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}
