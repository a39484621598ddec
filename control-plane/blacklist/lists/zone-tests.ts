import type { Clock } from '../../../kernel/clock.js';
import type { Answer } from '../../../kernel/dns/answer.js';
import type { DnsClient } from '../../../kernel/dns/dns-client.js';
import { queryName } from '../lookup/query-names.js';

import type { Catalogue, Provider } from './providers.js';
import { evaluateTestAnswers, NEVER_LISTED_6, type TestResult } from './test-answers.js';

const HOUR_MS = 3_600_000;
/** Checks share a test that started within this time. */
const SHARED_MS = 1_000;
/** After a test without a result, `hourly` checks wait this long before they test the list again. */
const INCONCLUSIVE_PAUSE_MS = 60_000;

/**
 * - `untested`: no test had a result so far.
 * - `passing`: the list contains its positive test entry and does not contain its negative one.
 * - `failing`: the list gives a wrong answer. Its answers count in no score.
 */
export type ZoneHealth = 'untested' | 'passing' | 'failing';

export interface ZoneState {
  health: ZoneHealth;
  /** Why it fails, else null. */
  reason: string | null;
  /** The time of the last test with a result. */
  tested_at_ms: number | null;
}

export interface ZoneChange {
  provider: Provider;
  from: ZoneHealth;
  to: 'passing' | 'failing';
  reason: string | null;
}

interface ZoneTestsNeeds {
  catalogue: Catalogue;
  dns: DnsClient;
  clock: Clock;
  /** Called when a list starts failing, and when it passes again. */
  onChange: (change: ZoneChange) => void;
}

/** Tests whether lists work (RFC 5782): one that lists everything or nothing is dead, or blocks our queries. */
export interface ZoneTests {
  /** Returns the current state. */
  state(provider: Provider): ZoneState;
  /** Returns the states by provider id. */
  states(): ReadonlyMap<string, ZoneState>;
  /** Returns the state, after a test if one is due; `tests` as in `CheckTarget`. */
  current(provider: Provider, tests: 'now' | 'hourly'): Promise<ZoneState>;
  /** Tests all lists. */
  testAll(): Promise<void>;
}

const UNTESTED: ZoneState = { health: 'untested', reason: null, tested_at_ms: null };

/** One wrong answer fails a list; passing needs both correct answers. No answer, refusals and errors are no result. */
export function createZoneTests({ catalogue, dns, clock, onChange }: ZoneTestsNeeds): ZoneTests {
  const known = new Map<string, ZoneState>();
  const running = new Map<string, { startedMs: number; done: Promise<ZoneState> }>();
  const state = (provider: Provider) => known.get(provider.id) ?? UNTESTED;

  async function run(provider: Provider): Promise<ZoneState> {
    const result = await queryTestEntries(provider, catalogue, dns);
    if (result === null) return state(provider);
    const before = state(provider);
    const after: ZoneState = { ...result, tested_at_ms: clock.now() };
    known.set(provider.id, after);
    const isChanged = before.health !== after.health && !(before.health === 'untested' && after.health === 'passing');
    if (isChanged) onChange({ provider, from: before.health, to: result.health, reason: after.reason });
    return after;
  }

  function test(provider: Provider): Promise<ZoneState> {
    const last = running.get(provider.id);
    const nowMs = clock.monotonic();
    if (last !== undefined && nowMs - last.startedMs < SHARED_MS) return last.done;
    const done = run(provider);
    running.set(provider.id, { startedMs: nowMs, done });
    return done;
  }

  function isDue(provider: Provider): boolean {
    const { health, tested_at_ms } = state(provider);
    if (health === 'failing') return true;
    if (tested_at_ms !== null && clock.now() - tested_at_ms < HOUR_MS) return false;
    const startedMs = running.get(provider.id)?.startedMs;
    return startedMs === undefined || clock.monotonic() - startedMs >= INCONCLUSIVE_PAUSE_MS;
  }

  return {
    state,
    states: () => new Map(catalogue.providers.map((provider) => [provider.id, state(provider)])),
    current: async (provider, tests) => (tests === 'now' || isDue(provider) ? test(provider) : state(provider)),
    async testAll() {
      await Promise.all(catalogue.providers.map(test));
    },
  };
}

/** Resolves to null if the answers give no result. */
async function queryTestEntries(provider: Provider, catalogue: Catalogue, dns: DnsClient): Promise<TestResult | null> {
  const { listed, not_listed } = provider.test;
  const zone = catalogue.queryZone(provider, provider.type === 'ip' ? 4 : 'domain');
  const zone6 = catalogue.queryZone(provider, 6);
  const query = async (entry: string | null, at: string | null): Promise<Answer | null> => {
    const name = entry === null || at === null ? null : queryName(entry, at);
    return name === null ? null : dns.resolve4(name);
  };
  const [positives, negative, negative6] = await Promise.all([
    Promise.all(listed.map((entry) => query(entry, zone))),
    query(not_listed, zone),
    // IPv6 may have its own zone, which can fail independently.
    query(not_listed === null ? null : NEVER_LISTED_6, zone6),
  ]);
  return evaluateTestAnswers(provider, { positives, negative, negative6 });
}
