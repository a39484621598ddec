import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '../kernel/clock.js';

/** Names that the machine's hosts file fixes. */
export interface HostsFile {
  /** IPv4 before IPv6; null when the name does not stand there. `localhost` and its subdomains always do (RFC 6761). */
  addresses(name: string): readonly string[] | null;
}

/** How often the file is looked at for a change. */
const LOOK_MS = 5000;
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

/** Reads the file when its time of change moved, looking at most each 5 s. A missing file is an empty one. */
export function createHostsFile(options: { clock: Clock; path: string }): HostsFile {
  let names: ReadonlyMap<string, readonly string[]> = new Map();
  let readMs: number | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;

  function look(): void {
    const now = options.clock.monotonic();
    if (now - lookedMs < LOOK_MS) return;
    lookedMs = now;
    const changedMs = modifiedMs(options.path);
    if (changedMs === readMs) return;
    readMs = changedMs;
    try {
      names = changedMs === null ? new Map() : parseHosts(readFileSync(options.path, 'utf8'));
    } catch {
      // Gone or unreadable between the look and the read: as if it did not exist, until it changes again.
      names = new Map();
    }
  }

  return {
    addresses(name) {
      look();
      const lower = name.toLowerCase();
      const fixed = names.get(lower);
      if (fixed !== undefined) return fixed;
      return lower === 'localhost' || lower.endsWith('.localhost') ? LOOPBACK : null;
    },
  };
}

/** When the file last changed; null when it cannot be looked at. */
export function modifiedMs(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  } catch {
    // A directory on the way is closed to us: the same as a file that is not there.
    return null;
  }
}

export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
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
