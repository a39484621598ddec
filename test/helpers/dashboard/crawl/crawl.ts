import type { Page } from 'playwright-core';
import { deadlineMs } from '../../deadline.js';
import { waitFor } from '../../wait.js';
import { missingPictures } from '../visitor.js';
import { whatStays } from '../what-stays.js';
import type { SignedIn } from '../workspace-in-browser.js';
import type { HostileIds } from './hostile-workspace.js';

/** The widths at which no page scrolls sideways. */
const WIDTHS = [360, 1280];
/** How long a page may show that it is loading. */
const LOADED_MS_MAX = 30_000;

/** The parts of the crawl, which are test files of their own. A page of no part is in `settings`. */
const GROUPS = {
  monitors: /^\/(?:$|monitors|incidents)/,
  watched: /^\/(?:servers|blacklists|backup-jobs|audit|status-pages)/,
  person: /^\/settings\/(?:account|second-factor|sessions|health|probes|locations|workspaces)/,
} as const;
export type CrawlGroup = keyof typeof GROUPS | 'settings';

/** Resolves to the paths that the router of the pages knows, such as `/monitors/$id`. */
export async function allRoutes(page: Page): Promise<string[]> {
  await page.locator('main h1').first().waitFor();
  const paths: string[] = await page.evaluate('Object.keys(__TSR_ROUTER__.routesByPath)');
  if (paths.length === 0) throw new Error('the router knows no page');
  return paths.sort();
}

export async function routesOf(page: Page, group: CrawlGroup): Promise<string[]> {
  return (await allRoutes(page)).filter((path) => groupOf(path) === group);
}

function groupOf(path: string): CrawlGroup {
  const found = Object.entries(GROUPS).find(([, pattern]) => pattern.test(path));
  return (found?.[0] ?? 'settings') as CrawlGroup;
}

/** Returns the path with an object of the hostile workspace in place of a parameter. Throws for an unknown one. */
export function pathOf(route: string, ids: HostileIds): string {
  const known: Record<string, string> = {
    ...{ '/monitors/$id': ids.mon, '/monitors/$id/edit': ids.mon, '/incidents/$id': ids.inc },
    ...{
      '/servers/$id': ids.srv,
      '/blacklists/$id': ids.blm,
      '/email-domains/$id': ids.eml,
      '/scans/$id': ids.scn,
      '/backup-jobs/$id': ids.bkp,
      '/reports/schedules/$id': ids.sch,
      '/channels/$channelId': ids.chan,
    },
    ...{ '/settings/channels/$channelId': ids.chan, '/settings/alert-rules/$ruleId': ids.rule },
    ...{ '/maintenance/$windowId': ids.mnt, '/wordpress/$id': ids.site },
    ...{ '/settings/workspaces/$id': ids.ws, '/$': 'no/such/page' },
    ...{ '/settings/$': 'no/such/page' },
  };
  const ofAnyRoute: Record<string, string> = { $pageId: ids.stp, $incidentId: ids.spi };
  return route.replaceAll(/\$\w*/g, (parameter) => {
    const id = ofAnyRoute[parameter] ?? known[route];
    if (id === undefined) throw new Error(`the crawl has no object for ${parameter} of ${route}: add one`);
    return id;
  });
}

/** Opens a page, waits until it is loaded, and resolves to everything that is wrong with it. */
export async function faultsOf(visitor: SignedIn, path: string): Promise<string[]> {
  const { page } = visitor;
  const refused: string[] = [];
  const listen = (response: { status(): number; url(): string }) => {
    if (response.status() >= 400) refused.push(`${response.status()} for ${response.url()}`);
  };
  page.on('response', listen);
  await visitor.goto(path);
  const faults = await loadedFaults(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await whatStays(() => page.evaluate(widerThanWindow))));
  }
  faults.push(...(await visitor.examine(nameOf(path))));
  faults.push(...missingPictures(nameOf(path)).map((file) => `no picture ${file}`));
  page.off('response', listen);
  faults.push(...refused, ...visitor.complaints.splice(0), ...visitor.foreignRequests.splice(0));
  return faults.map((fault) => `${path}: ${fault}`);
}

async function loadedFaults(page: Page): Promise<string[]> {
  const loading = page.locator('main .late, main .mantine-Skeleton-root');
  await page
    .locator('main h1')
    .first()
    .waitFor({ timeout: deadlineMs(LOADED_MS_MAX) });
  const isLoaded = await waitFor('loaded', LOADED_MS_MAX, async () => (await loading.count()) === 0).catch(() => false);
  const faults = await whatStays(() => drawnFaults(page));
  return isLoaded ? faults : ['it is still loading', ...faults];
}

async function drawnFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const headings = await page.locator('main h1').count();
  if (headings !== 1) faults.push(`${headings} headings of the first level`);
  if ((await page.locator('img[src="x"], [onerror]').count()) > 0) faults.push('a name became markup');
  for (const alert of await page.locator('main [role=alert]').allInnerTexts()) faults.push(`an error: ${alert}`);
  return faults;
}

/** Runs in the page: says by how much it is wider than the window, and what is. */
function widerThanWindow(): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page, whose types tests do not know.
  const { document } = globalThis as any;
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter(
    (one) => one.getBoundingClientRect().right > clientWidth + 1 && one.getBoundingClientRect().width > 0,
  );
  const named = wide.slice(0, 5).map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute('class')}`);
  return [`${scrollWidth - clientWidth} px wider than ${clientWidth} px: ${named.join(', ')}`];
}

/** Returns the name of the pictures of a page. */
const nameOf = (path: string): string =>
  `page-${
    path
      .replace(/_\w{26}/g, '')
      .split('/')
      .filter(Boolean)
      .join('-') || 'overview'
  }`;
