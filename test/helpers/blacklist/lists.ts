import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalogue, readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { createZoneTests, type ZoneChange } from '../../../control-plane/blacklist/lists/zone-tests.js';
import { createCheckTarget } from '../../../control-plane/blacklist/lookup/check-target.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createDnsClient } from '../../../kernel/dns/dns-client.js';

/** Returns a clock that runs like the system clock, but ahead by the skipped time. */
export function aheadClock(): Clock & { skip(ms: number): void } {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
    skip(ms) {
      aheadMs += ms;
    },
  };
}

/** Returns a catalogue of lists for a test. The zone of a list defaults to `<id>.test`. */
export function catalogueOf(
  rows: readonly ({ id: string } & Record<string, unknown>)[],
  keys: ReadonlyMap<string, string> = new Map(),
): Catalogue {
  const folder = mkdtempSync(join(tmpdir(), 'picket-lists-'));
  const file = join(folder, 'providers.json');
  const full = rows.map((row) => ({
    ...{ name: row.id, zone: `${row.id}.test`, type: 'ip' },
    ...{ website: 'https://list.example/', delist_url: 'https://list.example/delist' },
    ...row,
  }));
  try {
    writeFileSync(file, JSON.stringify(full));
    return readProviders({ file, keys });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the lookup of targets as the product composes it, the changes of the health of lists, and the refused addresses. */
export function lookUps(
  catalogue: Catalogue,
  server: string,
  clock: Clock = systemClock,
  limits: { attemptTimeoutMs?: number } = {},
) {
  const refused: string[] = [];
  const logBlocked = (host: string, refusal: string) => void refused.push(`${host}: ${refusal}`);
  const changes: ZoneChange[] = [];
  const dns = createDnsClient({ servers: [server], clock, ...limits });
  const zoneTests = createZoneTests({ catalogue, dns, clock, onChange: (change) => changes.push(change) });
  const checkTarget = createCheckTarget({ catalogue, dns, zoneTests, clock, logBlocked });
  return { dns, zoneTests, changes, refused, checkTarget };
}
