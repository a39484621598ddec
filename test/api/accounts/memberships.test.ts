import t from 'tap';
import { createMembershipsStore, membershipId } from '../../../control-plane/accounts/memberships-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { testDatabase } from '../../helpers/database.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const memberships = createMembershipsStore(mongo.db);
const runTransaction = createRunTransaction(mongo.client);

async function join(user_id: string, workspace_id: string, created_at_ms: number): Promise<void> {
  const _id = membershipId(workspace_id, user_id);
  await runTransaction((tx) => memberships.insert(tx, { _id, workspace_id, user_id, role: 'member', created_at_ms }));
}

t.test('a person comes back to the workspace that they used last, else to the one that they joined last', async (t) => {
  await join('usr_a', 'ws_3', 1);
  await join('usr_a', 'ws_1', 3);
  await join('usr_a', 'ws_2', 2);
  await join('usr_b', 'ws_9', 9);
  const lastOf = async (user: { _id: string; last_workspace_id?: string }) => {
    const inside = await runTransaction((tx) => memberships.lastOf(user, tx));
    t.same(await memberships.lastOf(user), inside, 'the same inside a transaction and outside of one');
    return inside?.workspace_id ?? null;
  };
  t.equal(await lastOf({ _id: 'usr_a', last_workspace_id: 'ws_2' }), 'ws_2');
  t.equal(await lastOf({ _id: 'usr_a' }), 'ws_1', 'never used one');
  t.equal(await lastOf({ _id: 'usr_a', last_workspace_id: 'ws_9' }), 'ws_1', 'left the last one');
  t.equal(await lastOf({ _id: 'usr_c', last_workspace_id: 'ws_9' }), null, 'is in none');
  await runTransaction(async (tx) => {
    const _id = membershipId('ws_4', 'usr_a');
    await memberships.insert(tx, { _id, workspace_id: 'ws_4', user_id: 'usr_a', role: 'member', created_at_ms: 4 });
    t.equal((await memberships.lastOf({ _id: 'usr_a' }, tx))?.workspace_id, 'ws_4', 'sees what the transaction wrote');
  });
});
