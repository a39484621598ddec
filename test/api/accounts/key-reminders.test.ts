import t from 'tap';
import { createExpiryReminders } from '../../../control-plane/accounts/api-keys/expiry-reminders.js';
import { createApiKeysStore } from '../../../control-plane/accounts/api-keys/store.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const DAY_MS = 86_400_000;
const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

async function setUp() {
  const clock = testClock(Date.now());
  const mails: OutgoingMail[] = [];
  const store = createApiKeysStore(mongo.db);
  await store.ensureIndexes();
  const workspace = await buildWorkspace(mongo);
  /** The job of one control plane. */
  const job = (owner: string) =>
    createExpiryReminders({
      ...{ store, clock, owner, publicUrl: 'https://picket.test', runTransaction: createRunTransaction(mongo.client) },
      ...{ users: createUsersStore(mongo.db), workspaces: createWorkspacesStore(mongo.db) },
      ...{ memberships: createMembershipsStore(mongo.db), leases: createLeaseStore(mongo.db) },
      mailer: { send: async (tx, mail) => void tx.afterCommit(() => mails.push(mail)) },
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
  const [first, second] = [job('first'), job('second')];
  const remind = async () => (await Promise.all([first.runOnce(), second.runOnce()])).map((sent) => sent ?? 0);
  return { clock, mails, workspace, remind };
}

t.test('the creator of a key is notified once, seven days before it expires', async (t) => {
  const { clock, mails, workspace, remind } = await setUp();
  await buildKey(mongo, workspace, { name: 'Deployment', expiresAtMs: clock.now() + 30 * DAY_MS });
  await buildKey(mongo, workspace, { name: 'One day', expiresAtMs: clock.now() + DAY_MS });
  await buildKey(mongo, workspace, { name: 'For ever' });
  await remind();
  t.same(mails, [], 'not earlier, and not for a key that was made for a short time');
  await clock.advance(23 * DAY_MS);
  const told = await remind();
  t.equal(sumOf(told), 1, 'two control planes send one mail');
  t.match(mails, [{ to: workspace.email, kind: 'api_key_expiring', subject: /Deployment expires in 7 d/ }]);
  t.equal(sumOf(await remind()), 0);
});

t.test('nobody is notified of a key that is revoked or replaced, or whose creator has left', async (t) => {
  const { clock, mails, workspace, remind } = await setUp();
  const expiresAtMs = clock.now() + 10 * DAY_MS;
  const [revoked, replaced] = [
    await buildKey(mongo, workspace, { expiresAtMs }),
    await buildKey(mongo, workspace, { expiresAtMs }),
  ];
  const keys = mongo.db.collection<{ _id: string }>('api_keys');
  await keys.updateOne({ _id: revoked.id }, { $set: { revoked_at_ms: clock.now() } });
  await keys.updateOne({ _id: replaced.id }, { $set: { replaced_by: 'key_x' } });
  const left = await buildWorkspace(mongo);
  await buildKey(mongo, left, { expiresAtMs });
  await mongo.db.collection('memberships').deleteOne({ workspace_id: left.id });
  await clock.advance(9 * DAY_MS);
  await remind();
  t.same(mails, []);
});
