import t from 'tap';
import type { ReportFacts } from '../../../control-plane/client-reports/facts/facts.js';
import { hasData } from '../../../control-plane/client-reports/schedules/due/has-data.js';

type Facts = Parameters<typeof hasData>[0];
const nothing = {
  ...{ period: { observedMs: 0 }, incidents: { total: 0 }, reputation: [], backups: [], emailDomains: [] },
  wordpress: { sites: [] },
};
const has = (facts: Partial<Record<keyof ReportFacts, unknown>>, sections = {}) =>
  hasData({ ...nothing, ...facts } as unknown as Facts, { sections } as never);

t.test('an occurrence has data if one of its sections has', async (t) => {
  t.equal(has({}), false);
  t.equal(has({ period: { observedMs: 1 } }), true);
  t.equal(has({ incidents: { total: 1 } }), true);
  const [job, idle] = [0, 1].map((place) => ({ succeeded: 0, failed: 0, missed: place === 0 ? 1 : 0 }));
  t.equal(has({ backups: [job] }), true, 'a backup that did not run is data');
  t.equal(has({ backups: [idle] }), false);
  t.equal(has({ backups: [job] }, { backup_verification: false }), false, 'the report would not show it');
  t.equal(has({ wordpress: { sites: [{}] } }), true);
  t.equal(has({ wordpress: { sites: [{}] } }, { wordpress: false }), false);
  for (const [facts, section] of [
    ['reputation', 'reputation'],
    ['emailDomains', 'email_deliverability'],
  ] as const) {
    t.equal(has({ [facts]: [{ checkedMs: 1 }] }), true);
    t.equal(has({ [facts]: [{ checkedMs: null }] }), false);
    t.equal(has({ [facts]: [{ checkedMs: 1 }] }, { [section]: false }), false);
  }
});
