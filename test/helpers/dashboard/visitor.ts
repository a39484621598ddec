import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const SCHEMES = ['light', 'dark'] as const;
/** Folder for pictures of the pages that tests visit; none without it. */
const SHOTS = process.env['PICKET_SCREENSHOTS'] ?? '';

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
  const page = await context.newPage();
  // A busy machine takes long for a page.
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  page.on('console', (message) => {
    // The browser also logs each answer of the API with an error status.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
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
        await page.evaluate(AXE);
        violations.push(...(await axeViolations(page)).map((text) => `${name}, ${colorScheme}: ${text}`));
        await takePictures(page, `${name}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      return violations;
    },
  };
}

async function axeViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe puts itself into the window.
    const { violations } = await (globalThis as any).axe.run();
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
    );
  });
}

async function takePictures(page: Page, name: string): Promise<void> {
  if (SHOTS === '') return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}-wide.png`), fullPage: true });
  await page.setViewportSize(PHONE);
  await page.screenshot({ path: join(SHOTS, `${name}-phone.png`), fullPage: true });
  await page.setViewportSize(WIDE);
}

/** Whether a page is wider than the window, so that a phone would scroll it sideways. */
export async function overflowsPhone(page: Page): Promise<boolean> {
  await page.setViewportSize(PHONE);
  const overflows = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  await page.setViewportSize(WIDE);
  return overflows === true;
}
