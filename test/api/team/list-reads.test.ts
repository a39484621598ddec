import { MongoClient } from 'mongodb';
import t from 'tap';
import type { MembershipDocument, UserDocument } from '../../../control-plane/accounts/documents.js';
import { createMembershipsStore, membershipId } from '../../../control-plane/accounts/memberships-store.js';
import { createMembersStore } from '../../../control-plane/team/members/store.js';
import { testDatabase } from '../../helpers/database.js';

/** More than the first answer of the database holds unless a query asks for more. */
const MEMBERS = 201;
const WORKSPACE = 'ws_a';
const PERSON = 'usr_0';

const mongo = await testDatabase();
const client = new MongoClient(mongo.uri, { monitorCommands: true });
const db = client.db(mongo.db.databaseName);
t.teardown(async () => {
  await client.close();
  await mongo.drop();
});

function membership(workspace_id: string, user_id: string, created_at_ms: number): MembershipDocument {
  return { _id: membershipId(workspace_id, user_id), workspace_id, user_id, role: 'member', created_at_ms };
}

/** Resolves to the result of the reads, and to the names of the commands that they sent. */
async function watched<T>(read: () => Promise<T>): Promise<{ found: T; commands: string[] }> {
  const commands: string[] = [];
  const listener = ({ commandName }: { commandName: string }) => void commands.push(commandName);
  client.on('commandStarted', listener);
  const found = await read();
  client.off('commandStarted', listener);
  return { found, commands };
}

t.test('a page of members takes two reads, each in a single batch', async (t) => {
  const ids = Array.from({ length: MEMBERS }, (_, index) => `usr_${index}`);
  await db.collection<UserDocument>('users').insertMany(
    ids.map((_id) => ({
      _id,
      email: `${_id}@example.com`,
      password_hash: 'secret',
      created_at_ms: 1,
    })),
  );
  await db
    .collection<MembershipDocument>('memberships')
    .insertMany(ids.map((id, index) => membership(WORKSPACE, id, index)));
  const page = { rowsMax: MEMBERS, after: null };
  const { found, commands } = await watched(() => createMembersStore(db).list(WORKSPACE, {}, page));
  t.equal(found.length, MEMBERS);
  t.same(commands, ['find', 'find']);
  t.same(
    found[0]?.user,
    { _id: `usr_${MEMBERS - 1}`, email: `usr_${MEMBERS - 1}@example.com` },
    'without the password',
  );
});

t.test('a page of the workspaces of a person takes one read', async (t) => {
  const others = Array.from({ length: MEMBERS }, (_, index) => membership(`ws_${index}`, PERSON, index));
  await db.collection<MembershipDocument>('memberships').insertMany(others);
  const { found, commands } = await watched(() =>
    createMembershipsStore(db).page(PERSON, { rowsMax: MEMBERS, after: null }),
  );
  t.equal(found.length, MEMBERS);
  t.same(commands, ['find']);
});
