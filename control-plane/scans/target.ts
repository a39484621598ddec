import type { MonitorDocument } from '../monitors/documents.js';

/** What a scan is about. */
export interface ScanTarget {
  /** The origin with a slash: `https://shop.example/`. */
  origin: string;
  /** The host name or address, without brackets and final dot. */
  host: string;
}

/** Returns the website of an http monitor, without its path, query and user info; null for other monitors. Pure. */
export function targetOf({ type, url }: Pick<MonitorDocument, 'type' | 'url'>): ScanTarget | null {
  if (type !== 'http' || !URL.canParse(url)) return null;
  const { origin, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === '' ? null : { origin: `${origin}/`, host };
}
