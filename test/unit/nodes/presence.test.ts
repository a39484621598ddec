import t from 'tap';
import { isPresent } from '../../../control-plane/nodes/presence/is-present.js';
import { createPresence } from '../../../control-plane/nodes/presence/presence.js';
import type { AgedPresence } from '../../../control-plane/nodes/presence/store.js';
import { createProbeSessions } from '../../../control-plane/nodes/probes/sessions.js';
import { testClock } from '../../helpers/clock.js';

const HOUR_MS = 3_600_000;

for (const aheadMs of [-HOUR_MS, 0, HOUR_MS]) {
  t.test(`a probe that reconnects, and a clock that is ${aheadMs / HOUR_MS} h ahead of the database's`, async (t) => {
    const clock = testClock();
    const row: AgedPresence = {
      ...{ _id: 'prb_1', location: 'fra', control_plane: 'other', stream_id: '1', instance: '1', credential_hash: '' },
      ...{ connected: false, draining: false, drained: false, version: '1', connected_at_ms: 0, report: null },
      seen_at: new Date(clock.now() - aheadMs - 2_000),
      age_ms: 2_000,
    };
    const sessions = createProbeSessions();
    const presence = createPresence({ store: { all: async () => [row] }, sessions, controlPlane: 'this', clock });
    await presence.refresh();
    t.equal(presence.of('fra').lastCheckingAtMs, clock.now() - 2_000);
    t.equal(isPresent(presence.of('fra'), clock.now() + 27_000), true, 'within 30 s');
    t.equal(isPresent(presence.of('fra'), clock.now() + 28_000), false, 'after 30 s');
  });
}
