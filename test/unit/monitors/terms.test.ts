import t from 'tap';
import { termsUpdate } from '../../../control-plane/monitors/terms/apply.js';
import { limitedBy, wantedOf } from '../../../control-plane/monitors/terms/limited.js';
import { buildMonitor } from '../../helpers/results/history.js';

const FIVE = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const NOW_MS = Date.UTC(2026, 0, 31, 12);
const live = (location: string, checked_at_ms: number) => ({
  [location]: {
    ...{ checked_at_ms, slot_ms: checked_at_ms, attempt: 0, final: true, received_at_ms: checked_at_ms },
    ...{ up: false, response_time_ms: 1, http_status: null, error: null },
  },
});

t.test('a plan limits interval, locations and confirmations, and keeps what the user set', async (t) => {
  const wanted = { interval_seconds: 10, locations: FIVE, confirmations: 4 };
  t.same(limitedBy('Enterprise', wanted, null), { ...wanted, wanted: null });
  t.same(limitedBy('Pro', wanted, null), { ...wanted, interval_seconds: 30, wanted });
  const free = limitedBy('Free', wanted, null);
  t.same(free, { interval_seconds: 60, locations: ['fra', 'nyc'], confirmations: 2, wanted });
  t.same(wantedOf(free), wanted, 'a larger plan restores it');
  t.same(limitedBy('Free', { interval_seconds: 10, locations: ['fra'], confirmations: null }, null), {
    ...{ interval_seconds: 60, locations: ['fra'], confirmations: null },
    wanted: { interval_seconds: 10, locations: ['fra'], confirmations: null },
  });
});

t.test('a downgrade drops the votes of dropped locations only', async (t) => {
  const monitor = buildMonitor({
    ...{ interval_seconds: 10, locations: FIVE, confirmations: 3 },
    live: { ...live('fra', 1_000), ...live('nyc', 1_500), ...live('sfo', 2_000) },
  });
  const update = termsUpdate(monitor, { plan: 'Free', stopped: false }, NOW_MS);
  t.match(update?.$set, {
    interval_seconds: 60,
    locations: ['fra', 'nyc'],
    confirmations: 2,
    last_checked_at_ms: 2_000,
  });
  t.equal(update?.$unset['live.sfo'], '');
  t.equal(update?.$unset['state.failing.sfo'], '');
  t.notOk('live.fra' in (update?.$unset ?? {}));
  t.notOk('paused_at_ms' in (update?.$set ?? {}));
});

t.test('nothing changes for a monitor that fits', async (t) => {
  const monitor = buildMonitor({ interval_seconds: 60, locations: ['fra'] });
  t.equal(termsUpdate(monitor, { plan: 'Free', stopped: false }, NOW_MS), null);
  t.equal(termsUpdate({ ...monitor, paused_at_ms: 5 }, { plan: 'Free', stopped: true }, NOW_MS), null, 'paused');
});

t.test('a stop pauses what is active, and resuming it starts without votes', async (t) => {
  const monitor = buildMonitor({ interval_seconds: 60, locations: ['fra'], version: 7, live: live('fra', 9_000) });
  const stopped = termsUpdate(monitor, { plan: 'Pro', stopped: true }, NOW_MS);
  t.match(stopped, { $set: { paused_at_ms: NOW_MS, stopped: true, 'state.attention': false }, $unset: {} });
  t.notOk('state.status' in (stopped?.$set ?? {}), 'the incident stays as it is');
  const asleep = { ...monitor, paused_at_ms: NOW_MS, stopped: true as const, version: 8 };
  t.equal(termsUpdate(asleep, { plan: 'Pro', stopped: true }, NOW_MS + 1), null, 'only once');
  const resumed = termsUpdate(asleep, { plan: 'Pro', stopped: false }, NOW_MS + 60_000);
  t.match(resumed?.$set, { paused_at_ms: null, live: {}, live_from_version: 9, last_checked_at_ms: 9_000 });
  t.match(resumed?.$unset, { stopped: '', 'state.failing': '' });
  const byUser = { ...monitor, paused_at_ms: 3 };
  t.equal(termsUpdate(byUser, { plan: 'Pro', stopped: false }, NOW_MS), null, 'paused by its user, it stays paused');
});

t.test('a downgrade and the resumption at once do not write a field and a part of it', async (t) => {
  const monitor = buildMonitor({ interval_seconds: 10, locations: FIVE, live: live('sfo', 2_000) });
  const asleep = { ...monitor, paused_at_ms: NOW_MS, stopped: true as const };
  const update = termsUpdate(asleep, { plan: 'Free', stopped: false }, NOW_MS);
  const paths = [...Object.keys(update?.$set ?? {}), ...Object.keys(update?.$unset ?? {})];
  t.same(
    paths.filter((path) => paths.some((other) => path.startsWith(`${other}.`))),
    [],
  );
});

t.test('a downgrade keeps the locations that answer, and later changes keep these', async (t) => {
  const monitor = buildMonitor({
    ...{ interval_seconds: 10, locations: FIVE, confirmations: 3 },
    // fra never had a probe, and that of sin has not answered for an hour.
    live: { ...live('nyc', NOW_MS - 5_000), ...live('sin', NOW_MS - 3_600_000), ...live('sfo', NOW_MS) },
  });
  const update = termsUpdate(monitor, { plan: 'Free', stopped: false }, NOW_MS);
  t.same(update?.$set['locations'], ['nyc', 'sfo'], 'in the order of the user');
  const limited = { ...monitor, ...limitedBy('Free', wantedOf(monitor), monitor) };
  t.same(limited.locations, ['nyc', 'sfo']);
  const silent = { ...limited, live: live('sfo', NOW_MS + 7_200_000) };
  t.same(limitedBy('Free', wantedOf(silent), silent).locations, ['nyc', 'sfo'], 'an edit moves no monitor');
  t.same(limitedBy('Pro', wantedOf(silent), silent).locations, FIVE, 'a larger plan restores all');

  const new_ = { ...monitor, live: {} };
  t.same(limitedBy('Free', wantedOf(new_), new_).locations, ['fra', 'nyc'], 'the first ones while none has answered');
  const one = { ...monitor, live: live('lon', NOW_MS) };
  t.same(limitedBy('Free', wantedOf(one), one).locations, ['fra', 'lon']);
});
