import type { BrowserContext, Page } from 'playwright-core';

/** Lets a test hide tabs of the window: in a browser without a screen, every tab is visible. */
export async function makeHideable(context: BrowserContext): Promise<void> {
  await context.addInitScript(hideable);
}

export async function show(page: Page | undefined, visible: boolean): Promise<void> {
  await page?.evaluate(`setHidden(${!visible})`);
}

function hideable(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const page = (globalThis as any).document;
  let hidden = false;
  Object.defineProperty(page, 'hidden', { get: () => hidden });
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  (globalThis as any).setHidden = (value: boolean) => {
    hidden = value;
    page.dispatchEvent(new Event('visibilitychange'));
  };
}
