import { gzipSync } from 'node:zlib';
import type { DashboardFile, DashboardFiles } from './files.js';
import { fileOf } from './files.js';

/** What the pages know before they ask the API. */
export interface PageFacts {
  /** Without a slash at the end. */
  publicUrl: string;
  /** Whether anybody can create an account. */
  signUpOpen: boolean;
  /** Whether there is a mail server; without one, no page promises an e-mail. */
  sendsEmail: boolean;
  version: string;
}

/** The pages of people who are not logged in; e-mails link to most of them. */
const ENTRANCE_PATHS: ReadonlySet<string> = new Set([
  '/login',
  '/logged-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/invitation',
]);

/** Prefixes of paths that are not pages, with what programs read: a program must get an error there and not a page. */
const NOT_PAGES = /^\/(?:v1|api|docs|install|metrics|healthz|readyz|status|verify|assets)(?:\/|$)/;
/** A file such as `/favicon.ico` or `/.env`. */
const FILE_NAME = /\.[^/]*$/;
const DOT_SEGMENT = /\/\.{1,2}\//;

export type PageOf = (path: string) => 'app' | 'entrance' | null;

/** Returns which page a path shows. Every path without another meaning shows the application, which says what it lacks. */
export const pageOf: PageOf = (path) => {
  if (ENTRANCE_PATHS.has(path)) return 'entrance';
  return NOT_PAGES.test(path) || FILE_NAME.test(path) || DOT_SEGMENT.test(path) ? null : 'app';
};

/** Returns the path below which this installation is reached: `/`, or `/picket/` for a public URL with a path. */
export function basePath(publicUrl: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/+$/, '')}/`;
}

/** Returns the pages with the facts filled in. They differ by installation, so they are compressed here, once. */
export function pagesOf(files: DashboardFiles, facts: PageFacts): Record<'app' | 'entrance', DashboardFile> {
  const fill = (page: DashboardFile) => {
    const html = page.body
      .toString('utf8')
      .replace('<base href="/">', `<base href="${escapeAttribute(basePath(facts.publicUrl))}">`)
      .replace('data-sign-up=""', `data-sign-up="${facts.signUpOpen ? 'open' : 'closed'}"`)
      .replace('data-mail=""', `data-mail="${facts.sendsEmail ? 'sent' : 'none'}"`)
      .replace('data-version=""', `data-version="${escapeAttribute(facts.version)}"`);
    return fileOf('page.html', Buffer.from(html), [{ encoding: 'gzip', body: gzipSync(html) }]);
  };
  return { app: fill(files.app), entrance: fill(files.entrance) };
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
