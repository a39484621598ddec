import t from 'tap';
import type { UserDocument, WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { memberActor, unauthenticatedActor } from '../../../control-plane/accounts/person-actor.js';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const CLIENT = { ip: '192.0.2.7', userAgent: 'curl/8', requestId: 'req' };
const USER: UserDocument = { _id: 'usr_1', email: 'a@b.test', password_hash: null, created_at_ms: 1 };
const WORKSPACE: WorkspaceDocument = {
  ...{ _id: 'ws_1', name: 'Acme', plan: 'Free', created_at_ms: 1 },
  plan_kept: { plan: 'Pro', until_ms: NOW_MS + 1 },
  suspended: { at_ms: 1, reason: 'Spam.' },
};

t.test('a member acts in the workspace as it stands, and has the rights of no credential', async (t) => {
  t.same(memberActor({ user: USER, workspace: WORKSPACE, role: 'admin' }, CLIENT, NOW_MS), {
    ...{ kind: 'session', userId: 'usr_1', email: 'a@b.test', role: 'admin', ...CLIENT },
    ...{ workspaceId: 'ws_1', workspaceName: 'Acme', plan: 'Free', retentionPlan: 'Pro' },
    stopped: { why: 'suspended', reason: 'This workspace is suspended: Spam.' },
    ...{ scopes: [], operator: false, key: null, session: null },
  });
  t.equal(memberActor({ user: USER, workspace: WORKSPACE, role: 'admin' }, CLIENT, NOW_MS + 1).retentionPlan, 'Free');
});

t.test('an unauthenticated actor has the account and the client, but no rights', async (t) => {
  t.match(unauthenticatedActor('ws_1', { userId: 'usr_1', email: 'a@b.test' }, CLIENT), {
    ...{ kind: 'session', workspaceId: 'ws_1', userId: 'usr_1', email: 'a@b.test', ...CLIENT },
    ...{ scopes: [], role: 'viewer', operator: false, key: null, session: null },
  });
  t.equal(unauthenticatedActor('ws_1', { userId: null, email: 'unknown' }, CLIENT).userId, null);
});
