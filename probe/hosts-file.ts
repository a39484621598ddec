import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '../kernel/clock.js';

/** The names in the hosts file of this machine. */
export interface HostsFile {
  /**
   * Returns the addresses of a name, IPv4 first; null if the file does not contain it. `localhost` and its subdomains
   * are always known (RFC 6761).
   */
  addresses(name: string): readonly string[] | null;
}

/** How often the file is checked for a change. */
const POLL_MS = 5000;
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

/** Returns the hosts file, which is read again after a change. A missing file counts as an empty one. */
export function createHostsFile(needs: { clock: Clock; path: string }): HostsFile {
  let names: ReadonlyMap<string, readonly string[]> = new Map();
  let readMs: number | null = null;
  let polledMs = Number.NEGATIVE_INFINITY;

  function poll(): void {
    const now = needs.clock.monotonic();
    if (now - polledMs < POLL_MS) return;
    polledMs = now;
    const changedMs = modifiedMs(needs.path);
    if (changedMs === readMs) return;
    readMs = changedMs;
    try {
      names = changedMs === null ? new Map() : parseHosts(readFileSync(needs.path, 'utf8'));
    } catch {
      // The file was removed or became unreadable after the poll. It counts as missing until it changes again.
      names = new Map();
    }
  }

  return {
    addresses(name) {
      poll();
      const lower = name.toLowerCase();
      const addresses = names.get(lower);
      if (addresses !== undefined) return addresses;
      return lower === 'localhost' || lower.endsWith('.localhost') ? LOOPBACK : null;
    },
  };
}

/** Returns when the file last changed; null if that is unknown. */
export function modifiedMs(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  } catch {
    // A directory of the path is not accessible. The file counts as missing.
    return null;
  }
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name) ?? [];
      if (!known.includes(address)) names.set(name, [...known, address]);
    }
  }
  for (const addresses of names.values()) addresses.sort((a, b) => isIP(a) - isIP(b));
  return names;
}
