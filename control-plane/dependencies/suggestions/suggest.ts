/** Outages count as together if they overlap, or if this time is between them: locations and intervals differ. */
const TOGETHER_MS = 120_000;
/** Fewer prove nothing. */
const OUTAGES_MIN = 2;
/** Monitors of one host that are compared with each other, the first in the order of the result. */
const MONITORS_OF_HOST_MAX = 50;

/** A monitor with its outages, in any order. */
export interface FailedMonitor {
  id: string;
  name: string;
  /** `ping`, `tcp`, `http`. */
  type: string;
  url: string;
  /** `endMs` null: it lasts. */
  outages: readonly { startMs: number; endMs: number | null }[];
}

/** Two monitors of one host that have always failed together. */
export interface Pair {
  dependent: FailedMonitor;
  on: FailedMonitor;
  host: string;
  outages: number;
}

/**
 * Returns which monitors could depend on which: those of one host that have always failed together, at least twice. What is nearer
 * to the host is depended on: a ping before a port, a port before a page, the older before the newer. Each monitor is named as
 * dependent at most once. Pure.
 */
export function suggestPairs(monitors: readonly FailedMonitor[]): Pair[] {
  const byHost = new Map<string, FailedMonitor[]>();
  for (const monitor of monitors.filter(({ outages }) => outages.length >= OUTAGES_MIN)) {
    const host = hostOf(monitor);
    if (host === null) continue;
    const own = byHost.get(host) ?? [];
    own.push(monitor);
    byHost.set(host, own);
  }
  return [...byHost].flatMap(([host, found]) => {
    const ranked = [...found]
      .sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))
      .slice(0, MONITORS_OF_HOST_MAX);
    return ranked.flatMap((dependent, index): Pair[] => {
      const on = ranked.slice(0, index).find((before) => alwaysTogether(before, dependent));
      return on === undefined ? [] : [{ dependent, on, host, outages: dependent.outages.length }];
    });
  });
}

function rankOf({ type }: FailedMonitor): number {
  if (type === 'ping') return 0;
  return type === 'tcp' ? 1 : 2;
}

function alwaysTogether(a: FailedMonitor, b: FailedMonitor): boolean {
  return coversAll(a, b) && coversAll(b, a);
}

/** Whether each outage of `of` was together with one of `by`. */
function coversAll(by: FailedMonitor, of: FailedMonitor): boolean {
  return of.outages.every((one) => by.outages.some((other) => isTogether(one, other)));
}

type Outage = FailedMonitor['outages'][number];

function isTogether(a: Outage, b: Outage): boolean {
  const end = ({ endMs }: Outage) => (endMs ?? Number.POSITIVE_INFINITY) + TOGETHER_MS;
  return a.startMs <= end(b) && b.startMs <= end(a);
}

/** The target of tcp is `host:port`, and that of ping the host. */
function hostOf({ type, url }: FailedMonitor): string | null {
  const text = type === 'http' ? (URL.canParse(url) ? new URL(url).hostname : '') : url;
  const host = (type === 'tcp' ? text.replace(/:\d+$/, '') : text).replace(/^\[|\]$/g, '').toLowerCase();
  return host === '' ? null : host;
}
