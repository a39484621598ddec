import type { Clock } from '../../../kernel/clock.js';
import type { GuardedDownload } from '../../../kernel/guard/guarded-download.js';
import type { Logger } from '../../../kernel/logger.js';
import type { BootstrapDocument } from '../documents.js';
import { createBootstrapReader, type RdapServers, requireNotHalved, serversOf } from './bootstrap-file.js';
import type { BootstrapStore } from './bootstrap-store.js';
import { fetchText } from './fetch-text.js';
import { BOOTSTRAP_BYTES_MAX, BOOTSTRAP_KEPT_MS, BOOTSTRAP_RETRY_MS } from './limits.js';
import { Problem } from './problem.js';

/** The RDAP servers of all suffixes. */
export interface KnownServers {
  /** null: the list could not be downloaded yet. */
  servers: RdapServers | null;
  /** When the list may be another one. */
  untilMs: number;
}

export interface BootstrapNeeds {
  bootstraps: BootstrapStore;
  download: GuardedDownload;
  /** Where the list is. */
  url: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Returns a function that resolves to the RDAP servers. It downloads the list once a week, and keeps the last one when it
 * cannot; then it tries again after an hour.
 */
export function createBootstrap(needs: BootstrapNeeds): (signal: AbortSignal) => Promise<KnownServers> {
  const { bootstraps, url, clock, logger } = needs;
  const read = createBootstrapReader();
  let kept: { fetchedAtMs: number; servers: RdapServers } | null = null;

  function known({ fetched_at_ms: fetchedAtMs, services, next_at_ms: untilMs }: BootstrapDocument): KnownServers {
    if (fetchedAtMs === null) return { servers: null, untilMs };
    if (kept?.fetchedAtMs !== fetchedAtMs) kept = { fetchedAtMs, servers: serversOf(services) };
    return { servers: kept.servers, untilMs };
  }

  async function refresh(stored: BootstrapDocument | null, signal: AbortSignal): Promise<KnownServers> {
    const nowMs = clock.now();
    try {
      const { status, text } = await fetchText(needs.download, url, {
        ...{ accept: 'application/json', bytesMax: BOOTSTRAP_BYTES_MAX, signal },
      });
      if (status !== 200) throw new Problem(`the server of the list answers with HTTP ${status}`);
      const services = read(text);
      if (stored?.services_url === url) requireNotHalved(services, stored.services);
      const next_at_ms = nowMs + BOOTSTRAP_KEPT_MS;
      const bootstrap = { url, services_url: url, fetched_at_ms: nowMs, next_at_ms, services };
      await bootstraps.save(bootstrap);
      return known({ _id: 'dns', ...bootstrap, problem: null });
    } catch (err) {
      const next_at_ms = nowMs + BOOTSTRAP_RETRY_MS;
      if (signal.aborted) return { servers: null, untilMs: nowMs };
      logger.warn({ err }, 'failed to download the list of RDAP servers, retrying in an hour');
      await bootstraps.fail({ url, problem: err instanceof Error ? err.message : String(err), next_at_ms });
      return stored === null ? { servers: null, untilMs: next_at_ms } : known({ ...stored, next_at_ms });
    }
  }

  return async (signal) => {
    const stored = await bootstraps.find();
    const isDue = stored === null || stored.url !== url || stored.next_at_ms <= clock.now();
    return isDue ? refresh(stored, signal) : known(stored);
  };
}
