import type { Test } from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import type { TestClock } from '../clock.js';
import { type Received, startReceiver } from '../machine/webhook-receiver.js';
import { waitFor } from '../wait.js';
import { buildIncident, buildNotifications, type TestNotifications } from './build.js';

let workspaces = 0;
/** Returns a new workspace, a receiver and a control plane that delivers notifications. */
export async function setUpDelivery(
  t: Pick<Test, 'teardown'>,
  mongo: Mongo,
  options: Parameters<typeof buildNotifications>[1] = {},
) {
  const receiver = await startReceiver();
  const controlPlane = buildNotifications(mongo, options);
  await controlPlane.notifications.start();
  t.teardown(async () => {
    await controlPlane.notifications.stop();
    await receiver.close();
    // The next test must not claim rows of this test.
    await mongo.db.collection('outbox').deleteMany({});
  });
  workspaces += 1;
  const workspaceId = `ws_${workspaces}`;
  const webhook = (over = {}, name = 'hook') =>
    controlPlane.channel(workspaceId, { type: 'webhook', name, config: { url: `${receiver.url}/${name}` } }, over);
  return { receiver, controlPlane, workspaceId, webhook, incident: (over = {}) => buildIncident(workspaceId, over) };
}

export const idOf = (request: Received | undefined) => request?.headers['webhook-id'];
export const typeOf = (request: Received) => request.json.type;
/** Waits until the incident has these deliveries, such as `webhook opened sent 1`. */
export const expectDeliveries = (controlPlane: TestNotifications, incident: IncidentDocument, expected: string[]) =>
  waitFor(
    `the deliveries ${expected.join(', ')}`,
    60_000,
    async () => {
      const found = await controlPlane.deliveries(incident);
      if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
      return true;
    },
    10,
  );

/** Advances the clock after deliveries have ended, then waits for the deliveries that are due at that time. */
export async function advance(mongo: Mongo, clock: TestClock, controlPlane: TestNotifications, ms: number) {
  await settled(mongo);
  clock.jump(ms);
  controlPlane.notifications.wake();
  await settled(mongo, clock.now());
}

/** Resolves when no delivery is in progress for a moment, and none is pending that is due by `dueMs`. */
export async function settled(mongo: Mongo, dueMs = 0) {
  let idlePolls = 0;
  await waitFor(
    'deliveries to end',
    30_000,
    async () => {
      const due = { state: 'pending', next_attempt_ms: { $lte: dueMs } };
      const open = await mongo.db.collection('outbox').countDocuments({ $or: [{ state: 'leased' }, due] });
      idlePolls = open === 0 ? idlePolls + 1 : 0;
      return idlePolls >= 3;
    },
    10,
  );
}
