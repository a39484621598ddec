import type { Test } from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import type { TestClock } from '../clock.js';
import { type Received, startReceiver } from '../machine/receivers.js';
import { waitFor } from '../wait.js';
import { buildIncident, buildNotifying, type Notifying } from './notifying.js';

let workspaces = 0;
/** A workspace, a receiver and a running delivery of its own. */
export async function setting(
  t: Pick<Test, 'teardown'>,
  mongo: Mongo,
  options: Parameters<typeof buildNotifying>[1] = {},
) {
  const receiver = await startReceiver();
  const side = buildNotifying(mongo, options);
  side.notifications.start();
  t.teardown(async () => {
    await side.notifications.stop();
    await receiver.close();
    // Nothing of this test may be claimed by the next one.
    await mongo.db.collection('outbox').deleteMany({});
  });
  workspaces += 1;
  const workspaceId = `ws_${workspaces}`;
  const webhook = (over = {}, name = 'hook') =>
    side.channel(workspaceId, { type: 'webhook', name, config: { url: `${receiver.url}/${name}` } }, over);
  return { receiver, side, workspaceId, webhook, incident: (over = {}) => buildIncident(workspaceId, over) };
}

export const idOf = (request: Received | undefined) => request?.headers['webhook-id'];
export const typeOf = (request: Received) => request.json.type;
export const told = (side: Notifying, incident: IncidentDocument, expected: string[]) =>
  waitFor(
    `the incident to say ${expected.join(', ')}`,
    5_000,
    async () => {
      const said = await side.told(incident);
      if (JSON.stringify(said) !== JSON.stringify(expected)) throw new Error(JSON.stringify(said));
      return true;
    },
    10,
  );

/** Moves the wall clock on when nothing is under way, and looks for what is due then, as the next poll would. */
export async function pass(mongo: Mongo, clock: TestClock, side: Notifying, ms: number) {
  await settled(mongo);
  clock.jump(ms);
  side.notifications.wake();
  await settled(mongo, clock.now());
}

/** Resolves when nothing has been under way for a moment; with a time, once whatever was due by then has had its turn. */
export async function settled(mongo: Mongo, dueMs = 0) {
  let quiet = 0;
  await waitFor(
    'quiet',
    5_000,
    async () => {
      const due = { state: 'pending', next_attempt_ms: { $lte: dueMs } };
      const open = await mongo.db.collection('outbox').countDocuments({ $or: [{ state: 'leased' }, due] });
      quiet = open === 0 ? quiet + 1 : 0;
      return quiet >= 3;
    },
    10,
  );
}
