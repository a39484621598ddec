import { createHash } from 'node:crypto';
import type { PasskeyDocument } from '../../../../control-plane/second-factor/documents.js';
import type { DomainDocument, ProviderDocument } from '../../../../control-plane/single-sign-on/documents.js';
import type { InvitationDocument } from '../../../../control-plane/team/documents.js';
import { buildKey } from '../../factories.js';
import { storePerson, storeSession } from '../../team/people.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { ALL, EMAILS, LONG, MARKUP, NAMES } from './hostile-names.js';

const DAY_MS = 86_400_000;

/** Fills the workspace with members, invitations, keys, sessions, passkeys and an identity provider. */
export async function fillPeople(world: WorkspaceInBrowser): Promise<void> {
  const { mongo, workspaceId, owner } = world;
  const { db } = mongo;
  for (const email of EMAILS) await storePerson(mongo, workspaceId, 'member', { user: { email } });
  const user = await db.collection<{ _id: string }>('users').findOne({ email: owner.email });
  const userId = user?._id ?? '';
  for (const name of NAMES) await buildKey(mongo, { id: workspaceId, userId }, { name });
  await storeSession(mongo, { userId, workspaceId, user_agent: ALL });
  const passkey: PasskeyDocument = {
    ...{ _id: 'pky_hostile', user_id: userId, name: ALL, credential_id: 'hostile', public_key: '', counter: 0 },
    ...{ transports: [], backed_up: false, created_at_ms: Date.now(), last_used_at_ms: null, version: 1 },
  };
  await db.collection<PasskeyDocument>('passkeys').insertOne(passkey);
  await fillInvitations(world, userId);
  await fillSingleSignOn(world);
}

async function fillInvitations({ mongo, workspaceId }: WorkspaceInBrowser, invitedBy: string): Promise<void> {
  const nowMs = Date.now();
  const invitations = EMAILS.map((email, index): InvitationDocument => {
    const invited_by = { id: invitedBy, email: ALL };
    return {
      ...{ _id: `inv_${index}`, workspace_id: workspaceId, email: `new${email.slice(3)}`, role: 'viewer', invited_by },
      token_hash: createHash('sha256').update(String(index)).digest('hex'),
      ...{ created_at_ms: nowMs, sent_at_ms: nowMs, expires_at_ms: nowMs + DAY_MS, version: 1 },
      remove_at: new Date(nowMs + 2 * DAY_MS),
    };
  });
  await mongo.db.collection<InvitationDocument>('invitations').insertMany(invitations);
}

async function fillSingleSignOn({ mongo, workspaceId }: WorkspaceInBrowser): Promise<void> {
  const nowMs = Date.now();
  await mongo.db.collection<ProviderDocument>('single_sign_on').insertOne({
    ...{ _id: workspaceId, provider_id: 'sso_hostile', issuer: `https://id.example/${LONG}`, client_id: ALL },
    ...{ client_secret: 'sealed', scopes: ['openid', 'email', 'profile'], role_claim: MARKUP },
    role_mapping: NAMES.map((value) => ({ value, role: 'member' as const })),
    ...{ default_role: 'viewer', owner_by_claim: false, created_at_ms: nowMs, updated_at_ms: nowMs, version: 1 },
  });
  const domain = `${`${'w'.repeat(60)}.`.repeat(3)}example`;
  await mongo.db.collection<DomainDocument>('single_sign_on_domains').insertOne({
    ...{ _id: `${workspaceId}/${domain}`, workspace_id: workspaceId, domain, token: LONG, verified_at_ms: null },
    ...{ checked_at_ms: nowMs, created_at_ms: nowMs, version: 1 },
  });
}
