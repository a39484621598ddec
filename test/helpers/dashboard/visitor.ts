import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { withLastingMessages } from './page-timers.js';
import { whatStays } from './what-stays.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const SCHEMES = ['light', 'dark'] as const;
/** The rules whose result depends on the theme. All others are checked in one theme only, because that takes most of the time. */
const COLOUR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
/** Two headers work only with https, and Chromium says so on plain http of another machine. */
const OF_PLAIN_HTTP =
  /^The (?:Cross-Origin-Opener-Policy header has been|page requested an origin-keyed agent cluster)/;
/** Folder for pictures of the pages that tests visit; none without it. */
const SHOTS = process.env['PICKET_SCREENSHOTS'] ?? '';
/** The folder of the pictures of this test file, such as `settings/channels`, so that no other file replaces them. */
const OF_THIS_FILE = (process.argv[1] ?? '')
  .replace(/^.*test\/(system\/dashboard|api)\//, '')
  .replace(/\.test\.[jt]s$/, '');

/** Somebody with a browser window of their own. */
export interface Visitor {
  page: Page;
  /** What the browser complained about: errors of scripts, violations of the content security policy, failed loads. */
  complaints: string[];
  /** Requests to another origin than the pages'. */
  foreignRequests: string[];
  /** Resolves to the violations of accessibility rules on the page as it is, in both themes; takes pictures of it. */
  examine(name: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a browser window. It has cookies and storage of its own. */
export async function visitor(browser: Browser, options: { language?: string } = {}): Promise<Visitor> {
  const context = await browser.newContext({
    ...{ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce', locale: options.language ?? 'en-GB' },
  });
  await withLastingMessages(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  page.on('console', (message) => {
    // The browser also logs each answer of the API with an error status.
    const isAnswer = message.text().startsWith('Failed to load resource');
    const isHarmless = isAnswer || OF_PLAIN_HTTP.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isHarmless) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    // A form has something that is not saved. Tests leave it when they go on.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && page.url().startsWith('http') && new URL(url).origin !== new URL(page.url()).origin) {
      foreignRequests.push(url);
    }
  });
  return {
    ...{ page, complaints, foreignRequests, close: () => context.close() },
    async examine(name) {
      const violations: string[] = [];
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        // Once for each page that was loaded, because its script is large.
        if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
        const found = await whatStays(() => axeViolations(page, colorScheme === 'light' ? {} : COLOUR_RULES));
        violations.push(...found.map((text) => `${name}, ${colorScheme}: ${text}`));
        // The rules of axe ask for one at least.
        if ((await page.locator('h1').count()) > 1)
          violations.push(`${name}: more than one heading of the first level`);
        await takePictures(page, `${name}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      return violations;
    },
  };
}

async function axeViolations(page: Page, options: object): Promise<string[]> {
  return page.evaluate(async (chosen) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe puts itself into the window.
    const { axe, document } = globalThis as any;
    const { violations } = await axe.run(document, chosen);
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
    );
  }, options);
}

async function takePictures(page: Page, name: string): Promise<void> {
  if (SHOTS === '') return;
  const before = page.viewportSize() ?? WIDE;
  for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
    await page.setViewportSize(viewport);
    const file = pictureFile(`${name}-${size}`);
    mkdirSync(dirname(file), { recursive: true });
    // Fails where two pages have the same name.
    writeFileSync(file, await page.screenshot({ fullPage: true }), { flag: 'wx' });
  }
  await page.setViewportSize(before);
}

const pictureFile = (name: string): string => join(SHOTS, OF_THIS_FILE, `${name}.png`);

/** Returns the pictures that a page should have and does not: wide and phone, light and dark. */
export function missingPictures(name: string): string[] {
  if (SHOTS === '') return [];
  const names = SCHEMES.flatMap((scheme) => [`${name}-${scheme}-wide`, `${name}-${scheme}-phone`]);
  return names.map(pictureFile).filter((file) => !existsSync(file));
}

/** Whether a page is wider than the window, so that a phone would scroll it sideways. */
export async function overflowsPhone(page: Page): Promise<boolean> {
  await page.setViewportSize(PHONE);
  const overflows = await whatStays(async () =>
    (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')) ? [PHONE] : [],
  );
  await page.setViewportSize(WIDE);
  return overflows.length > 0;
}
