import type { Browser, Locator } from 'playwright-core';
import { deadlineMs } from '../deadline.js';
import { overflowsPhone, type Visitor, visitor } from './visitor.js';

/** Somebody at a page, with what tests do most, and what was found wrong with the pages so far. */
export interface ExaminedVisitor extends Visitor {
  /** Resolves when the text is on the page. */
  see(text: string | RegExp): Promise<void>;
  /** The button with exactly this name. */
  button(name: string): Locator;
  /** Notes in `violations` what breaks a rule of accessibility, or is wider than a phone. */
  examined(name: string): Promise<void>;
  violations: string[];
}

/** Opens a browser window in which nobody has logged in. `seeMs` is how long `see` waits, where that is more than usual. */
export async function examinedVisitor(
  browser: Browser,
  options: { language?: string; seeMs?: number } = {},
): Promise<ExaminedVisitor> {
  const { seeMs, ...rest } = options;
  const somebody = await visitor(browser, rest);
  const { page } = somebody;
  const violations: string[] = [];
  return {
    ...{ ...somebody, violations },
    see: (text) =>
      page
        .getByText(text)
        .first()
        .waitFor(seeMs === undefined ? {} : { timeout: deadlineMs(seeMs) }),
    button: (name) => page.getByRole('button', { name, exact: true }),
    async examined(name) {
      violations.push(...(await somebody.examine(name)));
      if (await overflowsPhone(page)) violations.push(`${name} is wider than a phone`);
    },
  };
}
