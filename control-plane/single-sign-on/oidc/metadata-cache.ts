import type { ServerMetadata } from 'openid-client';
import type { Clock } from '../../../kernel/clock.js';

const CACHED_MS = 60_000;
/** A provider that is down is asked again after this time, however many people try to log in. */
const FAILURE_CACHED_MS = 5_000;
const ISSUERS_MAX = 1_000;

interface Entry {
  until: number;
  metadata: Promise<ServerMetadata>;
}

/**
 * Returns a `discover` that asks each issuer at most once a minute, because anybody can start a log-in: without it,
 * every start would be a request to the provider.
 */
export function cachedDiscovery(
  discover: (issuer: string) => Promise<ServerMetadata>,
  clock: Clock,
): (issuer: string) => Promise<ServerMetadata> {
  const cache = new Map<string, Entry>();
  return (issuer) => {
    const cached = cache.get(issuer);
    if (cached !== undefined && clock.monotonic() < cached.until) return cached.metadata;
    if (cache.size >= ISSUERS_MAX) cache.clear();
    const entry: Entry = { until: clock.monotonic() + CACHED_MS, metadata: discover(issuer) };
    cache.set(issuer, entry);
    entry.metadata.catch(() => {
      entry.until = clock.monotonic() + FAILURE_CACHED_MS;
    });
    return entry.metadata;
  };
}
