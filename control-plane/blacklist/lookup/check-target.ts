import { isIP } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import type { DnsClient } from '../../../kernel/dns/dns-client.js';
import type { BlockedLog } from '../../../kernel/guard/blocked-log.js';
import type { Catalogue, Provider } from '../lists/providers.js';
import type { ZoneState, ZoneTests } from '../lists/zone-tests.js';
import type { CheckTarget, ListResult, NotQueried, Target } from '../results.js';
import { type AddressFailure, chooseAddresses, type DomainAddresses } from './domain-addresses.js';
import { type Merged, mergeAddresses } from './merge-addresses.js';
import { queryList, withoutFailingList } from './query-list.js';
import { listedPart, queryName } from './query-names.js';
import { summarize } from './score.js';

/** The limit for a whole check, including the lookup of a domain's addresses. */
const CHECK_TIMEOUT_MS = 8_000;

interface CheckTargetNeeds {
  catalogue: Catalogue;
  dns: DnsClient;
  zoneTests: ZoneTests;
  clock: Clock;
  /** Gets the addresses of a domain that are not public. */
  logBlocked: BlockedLog;
}

/** The outcome for one list: a result, or why there is none. */
type Outcome = { result: ListResult } | { notQueried: NotQueried };

interface CheckOptions {
  /** On the monotonic clock. */
  deadlineMs: number;
  tests: 'now' | 'hourly';
}

/** Checks an address on the IP lists; a domain on the domain lists, and its addresses on the IP lists. */
export function createCheckTarget(needs: CheckTargetNeeds): CheckTarget {
  const { catalogue, zoneTests, clock } = needs;

  async function query(provider: Provider, entry: string, { deadlineMs }: CheckOptions) {
    const zone = catalogue.queryZone(provider, provider.type === 'domain' ? 'domain' : isIP(entry) === 6 ? 6 : 4);
    const name = zone === null ? null : queryName(entry, zone);
    if (name === null) return null;
    return queryList(needs, { provider, name, withinMs: deadlineMs - clock.monotonic() });
  }

  /** Runs the test of the list at the same time as the query, so that it takes no extra time. */
  async function checkEntry(provider: Provider, entry: string, options: CheckOptions): Promise<Outcome> {
    const [result, zone] = await Promise.all([
      query(provider, entry, options),
      zoneTests.current(provider, options.tests),
    ]);
    if (result === null) return notQueried(provider, 'The name is too long for this list.');
    return outcomeOf(provider, zone, { ...withoutFailingList(result, zone), addresses: [] });
  }

  async function checkAddresses(
    provider: Provider,
    found: Promise<DomainAddresses>,
    options: CheckOptions,
  ): Promise<Outcome> {
    const [rows, zone] = await Promise.all([
      found.then(async ({ skipped, ...families }) => {
        const { addresses, failures } = addressesFor(provider, families);
        const rows = await Promise.all(addresses.map((address) => query(provider, address, options)));
        const answers = rows.flatMap((row, at) => (row === null ? [] : [{ ...row, address: addresses[at] ?? '' }]));
        return { answers, failures, skipped };
      }),
      zoneTests.current(provider, options.tests),
    ]);
    const { answers, failures, skipped } = rows;
    if (answers.length + failures.length === 0) return notQueried(provider, noAddressReason(provider, skipped));
    const merged = mergeAddresses(
      answers.map((row) => withoutFailingList(row, zone)),
      failures,
    );
    const reason = merged.reason ?? (skipped.length > 0 ? `Not queried: ${skipped.join('; ')}.` : null);
    return outcomeOf(provider, zone, { ...merged, reason });
  }

  function checkOn(provider: Provider, target: Target, found: Promise<DomainAddresses> | null, options: CheckOptions) {
    if (provider.type === 'domain') return checkEntry(provider, listedPart(target.name, provider.names), options);
    if (found !== null) return checkAddresses(provider, found, options);
    if (isIP(target.name) === 6 && !provider.ipv6) return notQueried(provider, NO_IPV6);
    return checkEntry(provider, target.name, options);
  }

  return async (target, { tests, only }) => {
    const options: CheckOptions = { deadlineMs: clock.monotonic() + CHECK_TIMEOUT_MS, tests };
    const checked_at_ms = clock.now();
    const lists = catalogue.providers.filter(
      ({ id, type }) => (only?.has(id) ?? true) && (type === 'ip' || target.type === 'domain'),
    );
    const found = target.type === 'domain' ? findAddresses(needs, target.name) : null;
    const outcomes = await Promise.all(lists.map((provider) => checkOn(provider, target, found, options)));
    const results = outcomes.flatMap((one) => ('result' in one ? [one.result] : []));
    const not_asked = outcomes.flatMap((one) => ('notQueried' in one ? [one.notQueried] : []));
    const exists = (await found)?.exists ?? true;
    return { target: target.name, type: target.type, ...summarize(results, exists), results, not_asked, checked_at_ms };
  };
}

const NO_IPV6 = 'The list does not support IPv6.';

/** Looks up the public addresses of a domain, through the same resolvers as the lists. */
async function findAddresses(
  { dns, logBlocked }: Pick<CheckTargetNeeds, 'dns' | 'logBlocked'>,
  domain: string,
): Promise<DomainAddresses> {
  const [answer4, answer6] = await Promise.all([dns.resolve4(domain), dns.resolve6(domain)]);
  const found = chooseAddresses(answer4, answer6);
  for (const refusal of found.refused) logBlocked(domain, refusal);
  return found;
}

/** Returns the addresses of the families that a list supports, and the failed lookups of these families. Pure. */
function addressesFor(provider: Provider, families: Pick<DomainAddresses, 4 | 6>) {
  const supported = provider.ipv6 ? [families[4], families[6]] : [families[4]];
  const addresses: string[] = [];
  const failures: AddressFailure[] = [];
  for (const family of supported) {
    if (Array.isArray(family)) addresses.push(...family);
    else failures.push(family);
  }
  return { addresses, failures };
}

function noAddressReason(provider: Provider, skipped: readonly string[]): string {
  if (skipped.length > 0) return `No address of the domain can be queried: ${skipped.join('; ')}.`;
  return provider.ipv6
    ? 'The domain has no address.'
    : 'The domain has no IPv4 address, and the list does not support IPv6.';
}

function notQueried({ id }: Provider, reason: string): Outcome {
  return { notQueried: { provider: id, reason } };
}

function outcomeOf({ id, delist_url }: Provider, { health }: ZoneState, merged: Merged): Outcome {
  const { status, codes, meanings, policy, reason, tookMs, addresses } = merged;
  const answer = { status, codes, meanings, policy, reason, delist_url, addresses };
  return { result: { provider: id, ...answer, response_time_ms: tookMs, tested: health === 'passing' } };
}
