import type { Page } from 'playwright-core';
import { deadlineMs } from '../../deadline.js';
import { waitFor } from '../../wait.js';
import type { SignedIn } from '../workspace-in-browser.js';

const LOADED_MS_MAX = 30_000;

/** What a page offers to somebody. */
export interface Offered {
  /** Names of the buttons in the page, each once. */
  buttons: string[];
  /** Paths that its links lead to, within the dashboard. */
  links: string[];
  /** Whether it says that the role does not include it. */
  isRefusal: boolean;
  /** Answers of the API that refused something while it loaded. */
  refused: string[];
}

/** Opens a page, and resolves to what it offers when it is loaded. */
export async function offeredBy(visitor: SignedIn, path: string): Promise<Offered> {
  const { page } = visitor;
  const refused: string[] = [];
  const listen = (response: { status(): number; url(): string }) => {
    if ([401, 403].includes(response.status()))
      refused.push(`${response.status()} for ${new URL(response.url()).pathname}`);
  };
  page.on('response', listen);
  await visitor.goto(path);
  await page
    .locator('main h1')
    .first()
    .waitFor({ timeout: deadlineMs(LOADED_MS_MAX) });
  await waitFor('the page', LOADED_MS_MAX, async () => (await page.locator('main .late').count()) === 0);
  page.off('response', listen);
  const main = await page.locator('main').innerText();
  const refusals = [
    ...['Your role in this workspace does not include this.', 'Your role may not', 'There is no such page'],
    'Only the operators of this installation see this page.',
  ];
  return {
    ...{ buttons: await namesOf(page), links: await linksOf(page), refused },
    isRefusal: refusals.some((refusal) => main.includes(refusal)),
  };
}

async function namesOf(page: Page): Promise<string[]> {
  const buttons = await page.locator('main').getByRole('button').all();
  const names = await Promise.all(
    buttons.map(async (one) => (await one.getAttribute('aria-label')) ?? (await one.innerText()).trim()),
  );
  return [...new Set(names)].sort();
}

async function linksOf(page: Page): Promise<string[]> {
  const links = await page.locator('a[href]').evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'href'))));
  const { origin } = new URL(page.url());
  return [...new Set(links.filter((link) => link.startsWith(origin)).map((link) => new URL(link).pathname))].sort();
}
