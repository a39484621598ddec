import t from 'tap';
import type { ReportSources } from '../../../control-plane/client-reports/facts/facts.js';
import { gatherFacts } from '../../../control-plane/client-reports/facts/gather.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM_MS = Date.UTC(2026, 9, 1);

t.test('the history of a monitor is read in parts, each hour once', async (t) => {
  // The period ends now, within an hour, so the one before does not begin with an hour.
  const period = { from_ms: FROM_MS, to_ms: FROM_MS + 30 * DAY_MS + 1_234 };
  const parts: [number, number][] = [];
  const facts = await gathered(period, parts);
  const beforeMs = 2 * period.from_ms - period.to_ms;
  t.equal(parts[0]?.[0], beforeMs);
  t.equal(parts.at(-1)?.[1], period.to_ms);
  for (const [place, [fromMs, toMs]] of parts.entries()) {
    t.ok(toMs - fromMs <= 10 * DAY_MS, 'at most ten days');
    if (place > 0) t.same([fromMs, fromMs % HOUR_MS], [parts[place - 1]?.[1], 0], 'from the end of the one before');
  }
  t.equal(facts.period.good, 721, 'the last hour has just begun');
  t.equal(facts.before.good, 721, 'an hour that is not in the period is in the one before');
});

/** Gathers the facts of one monitor that was up, with a good check in each hour. */
function gathered(period: { from_ms: number; to_ms: number }, parts: [number, number][]) {
  const monitor = { _id: 'mon_1', name: 'shop', type: 'http', url: 'http://a', created_at_ms: 0, paused_at_ms: null };
  const sources = {
    monitors: async (_workspace: string, after: string | null) =>
      after === null ? [{ ...monitor, tags: [], certificate: null }] : [],
    async hours(_monitor: unknown, fromMs: number, toMs: number) {
      parts.push([fromMs, toMs]);
      const hours = [];
      for (let startMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS; startMs < toMs; startMs += HOUR_MS)
        hours.push({ startMs, observedMs: 1, upMs: 1, leftOutMs: 0, good: 1, failed: 0, responseUs: 1 });
      return hours;
    },
    async *incidents() {},
    reputation: async () => [],
    backups: async () => [],
    emailDomains: async () => [],
    domains: async () => [],
    sites: async () => [],
    scoreOfSites: () => null,
    scans: async () => [],
  } as unknown as ReportSources;
  const report = { workspace_id: 'ws_1', period, time_zone: 'UTC', monitors: null };
  return gatherFacts(sources, report, period.to_ms, new AbortController().signal);
}
