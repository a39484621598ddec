import type { BrowserContext, Page } from 'playwright-core';

/** Lets a test stop the clocks by which the pages that the window opens from now on measure durations. Their timers go on. */
export async function withStoppableClock(context: BrowserContext): Promise<void> {
  await context.addInitScript(stoppableClock);
}

export const stopClock = (page: Page): Promise<void> => page.evaluate('stopClock()');

export const startClock = (page: Page): Promise<void> => page.evaluate('startClock()');

function stoppableClock(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { window } = globalThis as any;
  const clocks = [window.performance, Date].map((clock) => ({ clock, now: clock.now.bind(clock) }));
  window.stopClock = () => {
    for (const { clock, now } of clocks) {
      const stoppedMs = now();
      clock.now = () => stoppedMs;
    }
  };
  window.startClock = () => {
    for (const { clock, now } of clocks) clock.now = now;
  };
}
