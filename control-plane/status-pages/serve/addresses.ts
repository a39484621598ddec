import { hostUrl } from '../hosts/host-name.js';
import { pagePath, STATUS_PATH } from '../paths.js';
import type { PageLinks } from '../render/html.js';

/** Where a reader is: one of the addresses of a page. */
export interface PageAddress {
  /** Absolute, without a slash at the end. */
  url: string;
  feedUrl: string;
  /** As the page links its other forms. */
  links: Omit<PageLinks, 'canonical'>;
  /** The address of the page relative to itself: its form posts to it. */
  self: string;
  /** The cookie of a page with a password is for the paths below. */
  cookiePath: string;
}

/** Returns the address of a page below `/status`. Links are relative to the page, whatever path a proxy puts before. */
export function addressBelowStatus(slug: string, publicUrl: string): PageAddress {
  const url = statusUrl(slug, publicUrl);
  return {
    url,
    feedUrl: `${url}/feed.atom`,
    links: {
      feed: `${slug}/feed.atom`,
      calendar: `${slug}/maintenance.ics`,
      json: `${slug}.json`,
      logo: `${slug}/logo`,
      subscribe: `${slug}/subscribe`,
    },
    self: slug,
    // One of the addresses of the page is beside it: `/status/example.json`.
    cookiePath: `${new URL(publicUrl).pathname.replace(/\/+$/, '')}${STATUS_PATH}`,
  };
}

/** Returns the address of a page that has a host of its own. */
export function addressOfHost(name: string, publicUrl: string): PageAddress {
  const url = hostUrl(name, publicUrl);
  return {
    url,
    feedUrl: `${url}/feed.atom`,
    links: {
      feed: '/feed.atom',
      calendar: '/maintenance.ics',
      json: '/status.json',
      logo: '/logo',
      subscribe: '/subscribe',
    },
    self: '/',
    cookiePath: '/',
  };
}

/** Returns the address of a page that never changes while its slug does not. */
export function statusUrl(slug: string, publicUrl: string): string {
  return `${publicUrl}${pagePath(slug)}`;
}

/** Returns the main address of a page, under the first of its verified hosts; null for a page that has none. */
export function canonicalUrl([host]: readonly string[], publicUrl: string): string | null {
  return host === undefined ? null : `${hostUrl(host, publicUrl)}/`;
}
