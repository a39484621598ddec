import fc from 'fast-check';
import t from 'tap';
import type { MonitorDocument } from '../../control-plane/monitors/documents.js';
import type { MonitorImage, MonitorOperation, PlannedChange } from '../../control-plane/monitors/many/decision.js';
import { revived, undoing } from '../../control-plane/monitors/many/image.js';
import { decide } from '../../control-plane/monitors/many/operation.js';
import { changedMonitor } from '../../control-plane/monitors/store.js';
import type { LocationDirectory } from '../../control-plane/nodes/nodes.js';
import { testClock } from '../helpers/clock.js';
import { actorOf } from '../helpers/factories.js';
import { settingsAsStored } from '../helpers/monitor-bulk/app.js';
import { monitorSecrets } from '../helpers/monitors/secrets.js';
import { CODES, created, guard, monitor } from '../helpers/monitors/settings.js';

const clock = testClock();
const secrets = monitorSecrets();
const locations: LocationDirectory = {
  codes: () => CODES,
  name: (code) => code,
  presence: () => ({ connectedProbes: 1, checkingProbes: 1, lastCheckingAtMs: 0, canaryOk: null }),
};
const needs = { secrets, clock, guard, locations };
const workspace = { id: 'ws_1', name: 'W', userId: 'usr_1', email: 'a@example.com' };
const actor = actorOf({ ...workspace, plan: 'Enterprise', role: 'owner', operator: false });

const tag = fc.constantFrom('a', 'b', 'c', 'd');
const operation: fc.Arbitrary<MonitorOperation> = fc.oneof(
  fc.record({ type: fc.constantFrom('pause' as const, 'resume' as const, 'delete' as const) }),
  fc.record({ type: fc.constantFrom('add_tags' as const, 'remove_tags' as const), tags: fc.array(tag) }),
  fc.record({
    type: fc.constant('set' as const),
    fields: fc.record(
      {
        interval_seconds: fc.constantFrom(10, 30, 60, 300),
        retries: fc.integer({ min: 0, max: 5 }),
        confirmations: fc.option(fc.integer({ min: 1, max: 5 })),
        locations: fc.subarray(CODES, { minLength: 1 }),
        tags: fc.uniqueArray(tag),
        timeout_ms: fc.constantFrom(1_000, 10_000),
        http: fc.record(
          {
            body: fc.option(fc.constantFrom('one', 'two')),
            headers: fc.dictionary(fc.constantFrom('x-a', 'x-b'), fc.constantFrom('1', '2')),
            expected_status: fc.constantFrom(200, 204),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
  }),
);

function stored(paused: boolean): MonitorDocument {
  const { settings } = created({
    url: 'https://user:password@example.com/',
    ...{ http: { headers: { 'x-a': '0' }, body: 'zero' }, locations: ['fra', 'nyc', 'sin'], tags: ['a'] },
  });
  const { sealed, ...shown } = secrets.seal('mon_1', settings);
  return { ...monitor(shown), wanted: null, sealed, paused_at_ms: paused ? 1 : null };
}

/** Returns the monitor after a change; null after its deletion. */
const after = ({ monitor, change }: PlannedChange) => (change === null ? null : changedMonitor(monitor, change));

t.test('any operations, undone in the reverse order, leave the settings as they were', (t) => {
  let changes = 0;
  fc.assert(
    fc.property(fc.boolean(), fc.array(operation, { minLength: 1, maxLength: 6 }), (paused, operations) => {
      const before = stored(paused);
      const wanted = JSON.stringify(settingsAsStored(before, secrets));
      const images: MonitorImage[] = [];
      let now: MonitorDocument | null = before;
      for (const one of operations) {
        if (now === null) break;
        const decision = decide(needs, actor, now, one);
        if (decision.kind !== 'changed') continue;
        images.push(decision.image());
        now = after(decision.plan());
        changes += 1;
      }
      for (const image of images.reverse()) {
        if (image.of === 'monitor') now = revived(image.monitor, actor, clock.now());
        else if (now !== null) {
          const decision = undoing(needs, actor, now, image, now.version);
          if (decision.kind === 'refused') throw new Error(decision.reason);
          now = decision.planned === null ? now : after(decision.planned);
        }
      }
      t.equal(now === null ? null : JSON.stringify(settingsAsStored(now, secrets)), wanted);
      return (now?.version ?? 0) >= before.version;
    }),
    { numRuns: 300 },
  );
  t.ok(changes > 300, `${changes} changes were undone`);
  t.end();
});
