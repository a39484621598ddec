import t from 'tap';
import type { ReportSources } from '../../../control-plane/client-reports/facts/facts.js';
import { hasData } from '../../../control-plane/client-reports/schedules/due/has-data.js';

const DAY_MS = 86_400_000;
const PERIOD = { from_ms: 0, to_ms: 30 * DAY_MS };
const MONITOR = { url: 'https://shop.example.com', tags: [], created_at_ms: 0 };

interface Given {
  monitors?: number;
  /** Of each monitor. */
  observed?: [fromMs: number, toMs: number];
  incidents?: (string | null)[];
  reputation?: unknown[];
  backups?: unknown[];
  emailDomains?: unknown[];
  sites?: unknown[];
  scans?: { target: string }[];
}

/** Resolves to whether there is data, and how often the history of a monitor was read. */
async function look(given: Given, over: Record<string, unknown> = {}) {
  const { monitors = 1, observed = [-1, -1] } = given;
  let reads = 0;
  const sources = {
    monitors: async (_workspace: string, after: string | null) =>
      after === null ? Array.from({ length: monitors }, (_, index) => ({ ...MONITOR, _id: `mon_${index}` })) : [],
    async hours(_monitor: unknown, fromMs: number, toMs: number) {
      reads++;
      return [{ observedMs: fromMs < observed[1] && toMs > observed[0] ? 1 : 0 }];
    },
    async *incidents() {
      for (const monitor_id of given.incidents ?? []) yield { monitor_id };
    },
    reputation: async () => given.reputation ?? [],
    backups: async () => given.backups ?? [],
    emailDomains: async () => given.emailDomains ?? [],
    sites: async () => given.sites ?? [],
    scans: async () => given.scans ?? [],
  } as unknown as ReportSources;
  const schedule = { workspace_id: 'ws_1', monitors: null, sections: {}, ...over };
  return { found: await hasData(sources, schedule as never, PERIOD, new AbortController().signal), reads };
}
const has = async (given: Given, sections = {}) => (await look(given, { sections })).found;

t.test('an occurrence has data if one of its sections has', async (t) => {
  t.equal(await has({}), false);
  t.equal(await has({ observed: [0, 1] }), true);
  t.equal(await has({ incidents: [null] }), true);
  const [job, idle] = [0, 1].map((place) => ({ succeeded: 0, failed: 0, missed: place === 0 ? 1 : 0 }));
  t.equal(await has({ backups: [job] }), true, 'a backup that did not run is data');
  t.equal(await has({ backups: [idle] }), false);
  t.equal(await has({ backups: [job] }, { backup_verification: false }), false, 'the report would not show it');
  t.equal(await has({ sites: [{}] }), true);
  t.equal(await has({ sites: [{}] }, { wordpress: false }), false, 'nor a WordPress site');
  const scans = [{ target: 'https://shop.example.com/' }];
  t.equal(await has({ scans }), true);
  t.equal(await has({ scans }, { security_scans: false }), false);
  for (const [facts, section] of [
    ['reputation', 'reputation'],
    ['emailDomains', 'email_deliverability'],
  ] as const) {
    t.equal(await has({ [facts]: [{ checkedMs: 1 }] }), true);
    t.equal(await has({ [facts]: [{ checkedMs: null }] }), false);
    t.equal(await has({ [facts]: [{ checkedMs: 1 }] }, { [section]: false }), false);
  }
});

t.test('only what is about the chosen monitors counts', async (t) => {
  const monitors = { ids: ['mon_0'], tags: [] };
  t.equal((await look({ incidents: ['mon_1', null] }, { monitors })).found, false);
  t.equal((await look({ incidents: ['mon_1', 'mon_0'] }, { monitors })).found, true);
  const [own, other] = ['example.com', 'example.net'].map((name) => ({ name, target: name, checkedMs: 1 }));
  t.equal((await look({ reputation: [other], emailDomains: [other] }, { monitors })).found, false);
  t.equal((await look({ emailDomains: [other, own] }, { monitors })).found, true);
  const scans = (count: number) => Array.from({ length: count }, () => ({ target: 'https://other.example.net/' }));
  t.equal((await look({ scans: scans(49) }, { monitors })).found, false);
  t.equal((await look({ scans: scans(50) }, { monitors })).found, true, 'the report reads more than this look');
  await t.rejects(look({}, { monitors: { ids: ['mon_9'], tags: [] } }), /None of the chosen monitors/);
});

t.test('the look reads one monitor if it works, and fifty at most', async (t) => {
  const end: [number, number] = [29 * DAY_MS, 30 * DAY_MS];
  t.same(await look({ monitors: 150, observed: end }), { found: true, reads: 1 });
  t.same(await look({ monitors: 40 }), { found: false, reads: 80 });
  t.same(await look({ monitors: 150 }), { found: true, reads: 100 }, 'the report itself says that there is nothing');
});
