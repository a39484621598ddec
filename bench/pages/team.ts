// Measures the lists of a workspace with 1,000 members and of a person with 100 workspaces, by sessions of members.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/team.ts
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../../control-plane/accounts/documents.js';
import { membershipId } from '../../control-plane/accounts/memberships-store.js';
import type { InvitationDocument } from '../../control-plane/team/documents.js';
import { testDatabase } from '../../test/helpers/database.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { credentialHeader, storePerson, storeWorkspace } from '../../test/helpers/team/people.js';
import { percentile, printFigure } from '../fixtures/figures.js';
import { load } from '../fixtures/load.js';
import { benchSetting } from '../fixtures/settings.js';

const MEMBERS = benchSetting('MEMBERS', 1_000);
const WORKSPACES = benchSetting('WORKSPACES', 100);
const INVITATIONS = 100;
const CLIENTS = benchSetting('CLIENTS', 8);
const WARM_UP_MS = 2_000;
const WINDOW_MS = 6_000;
const P99_MS_MAX = 30;

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
try {
  const workspaceId = await storeWorkspace(mongo);
  const owner = await storePerson(mongo, workspaceId, 'owner');
  await fill(workspaceId, owner.userId);
  for (const path of [
    '/v1/team/members?limit=200',
    '/v1/team/members',
    '/v1/team/invitations?limit=200',
    '/v1/auth/workspaces?limit=200',
  ]) {
    const request = () => read(path, owner.cookie);
    const { times } = await load(request, { clients: CLIENTS, warmUpMs: WARM_UP_MS, windowMs: WINDOW_MS });
    printFigure({
      ...{ name: `team: GET ${path} p99`, value: percentile(times, 0.99), unit: 'ms', limit: P99_MS_MAX, atMost: true },
      ...{ clients: CLIENTS, members: MEMBERS, workspaces: WORKSPACES, p50_ms: percentile(times, 0.5) },
    });
  }
} finally {
  await remove();
  await mongo.drop();
}

/** Adds members and invitations to the workspace, and the person to other workspaces. */
async function fill(workspaceId: string, userId: string): Promise<void> {
  const nowMs = Date.now();
  const { db } = mongo;
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  const membership = (workspace_id: string, user_id: string, index: number): MembershipDocument => ({
    ...{ _id: membershipId(workspace_id, user_id), workspace_id, user_id, role: 'member' },
    ...{ created_at_ms: nowMs - index * 1_000, last_active_at_ms: nowMs },
  });
  const people = range(MEMBERS - 1).map((index) => `usr_${String(index).padStart(26, '0')}`);
  await db.collection<UserDocument>('users').insertMany(
    people.map((_id) => ({
      ...{ _id, email: `${_id}@example.com`, password_hash: null, created_at_ms: nowMs },
    })),
  );
  const others = range(WORKSPACES - 1).map((index) => `ws_${String(index).padStart(26, '0')}`);
  await db
    .collection<WorkspaceDocument>('workspaces')
    .insertMany(others.map((_id) => ({ _id, name: _id, plan: 'Free', created_at_ms: nowMs })));
  await db
    .collection<MembershipDocument>('memberships')
    .insertMany([
      ...people.map((id, index) => membership(workspaceId, id, index)),
      ...others.map((id, index) => membership(id, userId, index)),
    ]);
  await db.collection<InvitationDocument>('invitations').insertMany(
    range(INVITATIONS).map((index) => ({
      ...{ _id: `inv_${String(index).padStart(26, '0')}`, workspace_id: workspaceId, email: `${index}@example.com` },
      ...{ role: 'member', invited_by: { id: userId, email: 'owner@example.com' }, token_hash: `hash ${index}` },
      ...{ created_at_ms: nowMs, sent_at_ms: nowMs, expires_at_ms: nowMs + 1e9, version: 1, remove_at: new Date(2e12) },
    })),
  );
}

async function read(path: string, cookie: string): Promise<void> {
  const response = await fetch(`${url}${path}`, { headers: credentialHeader(cookie) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} responded with status ${response.status}`);
}
