import type { Clock } from '../../../kernel/clock.js';
import type { DnsClient } from '../lookup/dns-client.js';
import { queryName } from '../lookup/query-names.js';
import { type Answer, refusalOf } from './classify.js';
import { codeNumber, isLoopback, isWithin } from './codes.js';
import type { Catalogue, Provider } from './providers.js';

const HOUR_MS = 3_600_000;
/** A test that began this long ago is shared instead of being made again. */
const SHARED_MS = 1_000;
/** A list whose last test proved nothing is left alone this long by look-ups that want no test of the moment. */
const UNPROVEN_PAUSE_MS = 60_000;
/** RFC 5782, section 5: what no list of IPv6 addresses may list. */
const NEVER_LISTED_6 = '::ffff:127.0.0.1';

/**
 * - `untested`: no test proved anything yet.
 * - `passing`: it lists its test entry, and not the one that it must not list.
 * - `failing`: it answers, wrongly. What it says counts in no score.
 */
export type ZoneHealth = 'untested' | 'passing' | 'failing';

export interface ZoneState {
  health: ZoneHealth;
  /** Why it fails, else null. */
  reason: string | null;
  /** Of the last test that proved something. */
  tested_at_ms: number | null;
}

export interface ZoneChange {
  provider: Provider;
  from: ZoneHealth;
  to: 'passing' | 'failing';
  reason: string | null;
}

export interface ZoneTestsDependencies {
  catalogue: Catalogue;
  dns: DnsClient;
  clock: Clock;
  /** Told when a list begins to fail and when it is well again. */
  onChange: (change: ZoneChange) => void;
}

/** Whether lists do what lists must do (RFC 5782): one that lists everything, or nothing, is dead or blocks us. */
export interface ZoneTests {
  /** As it is now. */
  state(provider: Provider): ZoneState;
  /** By the provider's id. */
  states(): ReadonlyMap<string, ZoneState>;
  /** The state after a test, where one is due by `how` (see `CheckTarget`), else as it is. */
  current(provider: Provider, how: 'now' | 'hourly'): Promise<ZoneState>;
  /** Tests all lists. */
  testAll(): Promise<void>;
}

const UNTESTED: ZoneState = { health: 'untested', reason: null, tested_at_ms: null };

/** One wrong answer fails a list, passing needs both: silence, a refusal and an error prove nothing. */
export function createZoneTests({ catalogue, dns, clock, onChange }: ZoneTestsDependencies): ZoneTests {
  const known = new Map<string, ZoneState>();
  const running = new Map<string, { begunMs: number; done: Promise<ZoneState> }>();
  const state = (provider: Provider) => known.get(provider.id) ?? UNTESTED;

  async function run(provider: Provider): Promise<ZoneState> {
    const verdict = await askEntries(provider, catalogue, dns);
    if (verdict === null) return state(provider);
    const before = state(provider);
    const after: ZoneState = { ...verdict, tested_at_ms: clock.now() };
    known.set(provider.id, after);
    const isNews = before.health !== after.health && !(before.health === 'untested' && after.health === 'passing');
    if (isNews) onChange({ provider, from: before.health, to: verdict.health, reason: after.reason });
    return after;
  }

  function test(provider: Provider): Promise<ZoneState> {
    const last = running.get(provider.id);
    const nowMs = clock.monotonic();
    if (last !== undefined && nowMs - last.begunMs < SHARED_MS) return last.done;
    const done = run(provider);
    running.set(provider.id, { begunMs: nowMs, done });
    return done;
  }

  function isDue(provider: Provider): boolean {
    const { health, tested_at_ms } = state(provider);
    if (health === 'failing') return true;
    if (tested_at_ms !== null && clock.now() - tested_at_ms < HOUR_MS) return false;
    const begunMs = running.get(provider.id)?.begunMs;
    return begunMs === undefined || clock.monotonic() - begunMs >= UNPROVEN_PAUSE_MS;
  }

  return {
    state,
    states: () => new Map(catalogue.providers.map((provider) => [provider.id, state(provider)])),
    current: async (provider, how) => (how === 'now' || isDue(provider) ? test(provider) : state(provider)),
    async testAll() {
      await Promise.all(catalogue.providers.map(test));
    },
  };
}

type Verdict = { health: 'passing' | 'failing'; reason: string | null };

/** What an entry's answer proves; null when nothing. */
type Seen = 'listed' | 'clean' | null;

/** null when what was answered proves nothing. */
async function askEntries(provider: Provider, catalogue: Catalogue, dns: DnsClient): Promise<Verdict | null> {
  const { listed, not_listed } = provider.test;
  const zone = catalogue.askedZone(provider, provider.type === 'ip' ? 4 : 'domain');
  const zone6 = catalogue.askedZone(provider, 6);
  const ask = async (entry: string | null, at: string | null): Promise<Answer | null> => {
    const name = entry === null || at === null ? null : queryName(entry, at);
    return name === null ? null : dns.resolve4(name);
  };
  const [positives, negative, negative6] = await Promise.all([
    Promise.all(listed.map((entry) => ask(entry, zone))),
    ask(not_listed, zone),
    // The zone for IPv6 may be another one, which can go mad by itself.
    ask(not_listed === null ? null : NEVER_LISTED_6, zone6),
  ]);
  return judgeEntries(provider, { positives, negative, negative6 });
}

/** What the answers of a list's test entries come to; `null` for an entry that it does not have. Pure. */
export function judgeEntries(
  provider: Provider,
  answers: { positives: readonly (Answer | null)[]; negative: Answer | null; negative6: Answer | null },
): Verdict | null {
  const { listed, not_listed, codes } = provider.test;
  const negative = seenOf(provider, answers.negative, null);
  const negative6 = seenOf(provider, answers.negative6, null);
  if (negative === 'listed' || negative6 === 'listed') {
    const entry = negative === 'listed' ? not_listed : NEVER_LISTED_6;
    return { health: 'failing', reason: `It lists everything, even its test entry ${entry}, which is never listed.` };
  }
  const positives = answers.positives.map((answer) => seenOf(provider, answer, codes));
  if (positives.length > 0 && positives.every((seen) => seen === 'clean')) {
    return { health: 'failing', reason: `It does not list its test entry ${listed.join(' or ')}.` };
  }
  const isProven = positives.length === 0 || positives.includes('listed');
  const isDenied = not_listed === null || negative === 'clean';
  const hasAny = positives.length > 0 || not_listed !== null;
  return hasAny && isProven && isDenied ? { health: 'passing', reason: null } : null;
}

function seenOf(provider: Provider, answer: Answer | null, expected: Provider['test']['codes']): Seen {
  if (answer === null || answer.kind === 'failed' || answer.kind === 'timeout') return null;
  if (answer.kind === 'none' || answer.addresses.length === 0) return 'clean';
  const codes = answer.addresses.map(codeNumber);
  if (!codes.every((code) => code !== null && isLoopback(code))) return null;
  const known = codes.filter((code) => code !== null);
  if (expected !== null && known.some((code) => expected.some((range) => isWithin(range, code)))) return 'listed';
  const answered = known.filter((code) => refusalOf(provider, code) === null);
  if (answered.length === 0) return null;
  return expected === null ? 'listed' : 'clean';
}
