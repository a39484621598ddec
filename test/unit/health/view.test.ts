import t from 'tap';
import { backlogView, controlPlaneView, databaseView } from '../../../control-plane/health/view.js';
import { membersIn } from '../../../control-plane/storage/health/database-members.js';

const AT = new Date('2026-01-31T12:00:00.000Z');
const report = {
  ...{ _id: 'a1', version: '1.0.0', started_at: AT, seen_at: AT, stopped: false, clock_offset_ms: 3.4 },
  ...{ event_streams: 2, node_streams: 7, age_ms: 4_000 },
};

t.test('a control plane is running, stopped or lost', (t) => {
  const held = [
    { name: 'rollup', owner: 'a1' },
    { name: 'uptime', owner: 'b2' },
  ];
  t.match(controlPlaneView(report, held), { state: 'running', ok: true, clock_offset_ms: 3, tasks: ['rollup'] });
  t.match(controlPlaneView({ ...report, age_ms: 15_001 }, []), { state: 'lost', ok: false });
  t.match(controlPlaneView({ ...report, age_ms: 15_001, stopped: true }, []), { state: 'stopped', ok: true });
  t.equal(controlPlaneView({ ...report, clock_offset_ms: -1_001 }, []).ok, false, 'its clock is wrong');
  t.end();
});

t.test('the database: its answer and its members', (t) => {
  const at = (s: number) => new Date(AT.getTime() - s * 1_000);
  const members = membersIn({
    members: [
      { name: 'a:1', stateStr: 'PRIMARY', health: 1, optimeDate: at(0) },
      { name: 'b:1', stateStr: 'SECONDARY', health: 1, optimeDate: at(2) },
      { name: 'c:1', stateStr: 'SECONDARY', health: 1, optimeDate: at(11) },
      { name: 'd:1', stateStr: '(not reachable/healthy)', health: 0, optimeDate: new Date(0) },
      { name: 'e:1', stateStr: 'ARBITER', health: 1 },
    ],
  });
  t.same(
    databaseView({ latencyMs: 1.6, members }).members?.map(({ host, lag_ms, ok }) => [host, lag_ms, ok]),
    [
      ['a:1', null, true],
      ['b:1', 2_000, true],
      ['c:1', 11_000, false],
      ['d:1', null, false],
      ['e:1', null, true],
    ],
  );
  t.match(databaseView({ latencyMs: 1_001, members: null }), { latency_ms: 1_001, ok: false, members: null });
  t.end();
});

t.test('work that waits is late when the oldest has waited too long', (t) => {
  const of = (waiting: number, oldestMs: number | null) =>
    backlogView({ name: 'mails', lateMs: 60_000 }, { waiting, oldestMs }, { nowMs: 100_000, countMax: 1_000 });
  t.same(of(0, null), {
    ...{ name: 'mails', waiting: 0, has_more: false, oldest_seconds: null, late_seconds: 60, ok: true },
  });
  t.match(of(1_000, 40_000), { has_more: true, oldest_seconds: 60, ok: true });
  t.match(of(1, 39_999), { oldest_seconds: 60, ok: false });
  t.match(of(1, 200_000), { oldest_seconds: 0, ok: true }, 'a clock that is behind');
  t.end();
});
