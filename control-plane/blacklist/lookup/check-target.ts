import { isIP } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import type { CheckTarget, ListResult, NotAsked, Target } from '../blacklist.js';
import type { Catalogue, Provider } from '../lists/providers.js';
import type { ZoneState, ZoneTests } from '../lists/zone-tests.js';
import { askList, believed } from './ask-list.js';
import type { DnsClient } from './dns-client.js';
import { type AddressFailure, type DomainAddresses, findAddresses } from './domain-addresses.js';
import { type Merged, mergeAddresses } from './merge-addresses.js';
import { listedPart, queryName } from './query-names.js';
import { summarize } from './score.js';

/** Of a whole check, the search for a domain's addresses included. */
export const CHECK_TIMEOUT_MS = 8_000;

export interface CheckTargetDependencies {
  catalogue: Catalogue;
  dns: DnsClient;
  zoneTests: ZoneTests;
  clock: Clock;
}

/** What came of one list: a result, or why there is none. */
type Row = { result: ListResult } | { notAsked: NotAsked };

interface Look {
  /** On the monotonic clock. */
  deadlineMs: number;
  tests: 'now' | 'hourly';
}

/** An address is asked on the lists of addresses; a domain on those of domains, and its addresses on those of addresses. */
export function createCheckTarget(deps: CheckTargetDependencies): CheckTarget {
  const { catalogue, dns, zoneTests, clock } = deps;

  async function ask(provider: Provider, entry: string, { deadlineMs }: Look) {
    const zone = catalogue.askedZone(provider, provider.type === 'domain' ? 'domain' : isIP(entry) === 6 ? 6 : 4);
    const name = zone === null ? null : queryName(entry, zone);
    if (name === null) return null;
    return askList(deps, { provider, name, withinMs: deadlineMs - clock.monotonic() });
  }

  /** The list's test runs beside the look-up, so that it costs no time. */
  async function checkEntry(provider: Provider, entry: string, look: Look): Promise<Row> {
    const [asked, zone] = await Promise.all([ask(provider, entry, look), zoneTests.current(provider, look.tests)]);
    if (asked === null) return notAsked(provider, 'The name is too long to be asked for on this list.');
    return resultOf(provider, zone, { ...believed(asked, zone), addresses: [] });
  }

  async function checkAddresses(provider: Provider, found: Promise<DomainAddresses>, look: Look): Promise<Row> {
    const [rows, zone] = await Promise.all([
      found.then(async ({ skipped, ...families }) => {
        const { addresses, failures } = takenBy(provider, families);
        const asked = await Promise.all(addresses.map((address) => ask(provider, address, look)));
        const answers = asked.flatMap((row, at) => (row === null ? [] : [{ ...row, address: addresses[at] ?? '' }]));
        return { answers, failures, skipped };
      }),
      zoneTests.current(provider, look.tests),
    ]);
    const { answers, failures, skipped } = rows;
    if (answers.length + failures.length === 0) return notAsked(provider, addressless(provider, skipped));
    const merged = mergeAddresses(
      answers.map((row) => believed(row, zone)),
      failures,
    );
    const reason = merged.reason ?? (skipped.length > 0 ? `Not asked: ${skipped.join('; ')}.` : null);
    return resultOf(provider, zone, { ...merged, reason });
  }

  function checkOn(provider: Provider, target: Target, found: Promise<DomainAddresses> | null, look: Look) {
    if (provider.type === 'domain') return checkEntry(provider, listedPart(target.name, provider.names), look);
    if (found !== null) return checkAddresses(provider, found, look);
    if (isIP(target.name) === 6 && !provider.ipv6) return notAsked(provider, NO_IPV6);
    return checkEntry(provider, target.name, look);
  }

  return async (target, { tests, only }) => {
    const look: Look = { deadlineMs: clock.monotonic() + CHECK_TIMEOUT_MS, tests };
    const checked_at_ms = clock.now();
    const lists = catalogue.providers.filter(
      ({ id, type }) => (only?.has(id) ?? true) && (type === 'ip' || target.type === 'domain'),
    );
    const needsAddresses = target.type === 'domain' && lists.some(({ type }) => type === 'ip');
    const found = needsAddresses ? findAddresses(dns, target.name) : null;
    const rows = await Promise.all(lists.map((provider) => checkOn(provider, target, found, look)));
    const results = rows.flatMap((row) => ('result' in row ? [row.result] : []));
    const not_asked = rows.flatMap((row) => ('notAsked' in row ? [row.notAsked] : []));
    return { target: target.name, type: target.type, ...summarize(results), results, not_asked, checked_at_ms };
  };
}

const NO_IPV6 = 'The list has no IPv6 addresses.';

/** Addresses of the families that a list takes, and why it cannot be asked about those that are not known. Pure. */
function takenBy(provider: Provider, families: Omit<DomainAddresses, 'skipped'>) {
  const taken = provider.ipv6 ? [families[4], families[6]] : [families[4]];
  const addresses: string[] = [];
  const failures: AddressFailure[] = [];
  for (const family of taken) {
    if (Array.isArray(family)) addresses.push(...family);
    else failures.push(family);
  }
  return { addresses, failures };
}

function addressless(provider: Provider, skipped: readonly string[]): string {
  if (skipped.length > 0) return `No address of the domain can be asked for: ${skipped.join('; ')}.`;
  return provider.ipv6 ? 'The domain has no address.' : 'The domain has no IPv4 address, and the list no IPv6 ones.';
}

function notAsked({ id }: Provider, reason: string): Row {
  return { notAsked: { provider: id, reason } };
}

function resultOf({ id, delist_url }: Provider, { health }: ZoneState, found: Merged): Row {
  const { status, codes, meanings, policy, reason, tookMs, addresses } = found;
  const said = { status, codes, meanings, policy, reason, delist_url, addresses };
  return { result: { provider: id, ...said, response_time_ms: tookMs, tested: health === 'passing' } };
}
