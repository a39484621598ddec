import t from 'tap';
import { deliveryRecords, type OutboxRowHead } from '../../../control-plane/notifications/delivery/rows.js';
import { shownResultId } from '../../../control-plane/results/documents.js';
import { idPattern } from '../../../control-plane/storage/ids.js';
import type { VoteRecord } from '../../../control-plane/verdicts/decision-record.js';
import { decisionView } from '../../../control-plane/verdicts/incident-kinds/decision-view.js';
import { OUTAGE_EXAMPLE } from '../../../control-plane/verdicts/incident-kinds/examples.js';
import { verdict } from '../../../control-plane/verdicts/rule/verdict.js';
import type { LocationTrust } from '../../../control-plane/verdicts/rule/votes.js';
import { replayInPython } from '../../helpers/verdicts/replay-in-python.js';
import { liveResult, monitorDocument } from '../../helpers/verdicts/setup.js';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 3);
const settings = { assigned: 5, confirmations: null, retries: 1, interval_seconds: 60, timeout_ms: 10_000 };
const trust: LocationTrust = {
  hasProbe: () => true,
  isPresent: () => true,
  isQuarantined: (code) => code === 'sfo',
  isDoubted: (code) => code === 'sin' || code === 'nyc',
};

/** Two locations fail and are in doubt, one retries, one is up, and one is quarantined. */
function decide(confirmations: number | null) {
  const live = {
    fra: liveResult(true, NOW),
    nyc: liveResult(false, NOW),
    sin: liveResult(false, NOW),
    lon: liveResult(false, NOW, { final: false, attempt: 0 }),
    sfo: liveResult(false, NOW),
  };
  return verdict(monitorDocument({ _id: 'mon_1', live }, NOW), { ...settings, confirmations }, trust, NOW);
}

t.test('each vote of a record says how it was counted and why, and the counts are sums of it', (t) => {
  const doubted = decisionView(decide(1).decision, []);
  t.same(
    doubted.votes.map((vote) => [vote.location, vote.counted_as, vote.not_counted_because, vote.doubted]),
    [
      ['fra', 'up', null, false],
      ['nyc', 'none', 'doubted', true],
      ['sin', 'none', 'doubted', true],
      ['lon', 'none', 'retrying', false],
      ['sfo', 'none', 'quarantined', false],
    ],
    'one location may decide, so a doubt keeps a vote from counting while another location votes up',
  );
  t.same(doubted.counts, { up: 1, down: 0, none: 4, unknown: 1, retrying: 1, doubted: 2 });

  const counted = decisionView(decide(null).decision, []);
  t.same(
    counted.votes.map((vote) => [vote.location, vote.counted_as, vote.not_counted_because, vote.doubted]),
    [
      ['fra', 'up', null, false],
      ['nyc', 'down', null, false],
      ['sin', 'down', null, false],
      ['lon', 'none', 'retrying', false],
      ['sfo', 'none', 'quarantined', false],
    ],
    'a majority decides, so the doubt has no effect and is not in the record',
  );
  t.same(counted.counts, { up: 1, down: 2, none: 2, unknown: 1, retrying: 1, doubted: 0 });
  t.ok(
    decide(null).votes.some((vote) => vote.doubted),
    'the doubted locations are still spot-checked',
  );
  t.equal(replayInPython([{ decision: doubted, recovery: counted }]), 2);
  t.end();
});

t.test('a record from before votes said how they counted is shown complete', (t) => {
  const { decision } = decide(1);
  const votes = decide(1).votes.map((vote): VoteRecord => ({ ...vote }));
  t.notOk(votes.some((vote) => 'counted_as' in vote));
  t.same(decisionView({ ...decision, votes }, []), decisionView(decision, []));
  t.end();
});

t.test('a wrong record does not replay', (t) => {
  const { decision } = OUTAGE_EXAMPLE;
  t.equal(replayInPython([{ decision, recovery: null }]), 1);
  t.throws(
    () => replayInPython([{ decision: { ...decision, outcome: 'up' }, recovery: null }]),
    /recorded up, replayed/,
  );
  const votes = decision.votes.map((vote) => ({ ...vote, counted_as: 'none' }));
  t.throws(() => replayInPython([{ decision: { ...decision, votes }, recovery: null }]), /recorded down, replayed/);
  t.end();
});

t.test('a decision lists only the notifications that were accepted, with the time of that', (t) => {
  const row = (event: OutboxRowHead['event'], state: OutboxRowHead['state'], more: Partial<OutboxRowHead> = {}) => ({
    ...{
      _id: event,
      workspace_id: 'ws_1',
      incident_id: 'inc_1',
      channel_id: 'chn_1',
      channel_type: 'webhook' as const,
    },
    ...{ event, state, sequence: 0, step: false, next_attempt_ms: 0, waiting: 'retry' as const, lease_until: null },
    ...{ holder: null, fence: 1, attempts: 2, refusals: 0, event_ms: NOW, first_due_ms: NOW, give_up_ms: NOW },
    ...{ attempted_ms: NOW + 5_000, finished_ms: state === 'pending' ? null : NOW + 5_000, logged_only: false },
    ...{ error: null, ...more },
  });
  const sent = deliveryRecords([
    row('opened', 'sent'),
    row('acknowledged', 'pending'),
    row('resolved', 'failed'),
    row('reminder#1', 'sent', { logged_only: true }),
    row('reminder#2', 'withdrawn'),
  ]).get('inc_1');
  t.same(
    sent?.map(({ event, status, sent_at_ms }) => [event, status, sent_at_ms]),
    [
      ['opened', 'sent', NOW + 5_000],
      ['acknowledged', 'pending', null],
      ['resolved', 'failed', null],
      ['reminder#1', 'skipped', null],
      ['reminder#2', 'skipped', null],
    ],
  );
  const { times } = decisionView(decide(null).decision, sent ?? []);
  t.match(times.notifications, [{ event: 'opened', sent_at: new Date(NOW + 5_000).toISOString() }]);
  t.equal(times.notifications.length, 1);
  t.end();
});

t.test('the results of votes have the ids and the rounding of GET /v1/monitors/{id}/results', (t) => {
  const { decision } = decide(null);
  const result_id = `mon_1/${NOW}/fra/0`;
  const votes = decision.votes.map((vote) =>
    vote.result === null ? vote : { ...vote, result: { ...vote.result, result_id, response_time_ms: 12.345 } },
  );
  const [first] = decisionView({ ...decision, votes }, []).votes;
  t.match(first?.result, { id: shownResultId(result_id), response_time_ms: 12.3 });
  t.match(shownResultId(result_id), new RegExp(idPattern('res')));
  t.end();
});
