import { Type } from 'typebox';
import { createJoin } from '../../../control-plane/accounts/join.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createNewFreeWorkspace } from '../../../control-plane/accounts/new-free-workspace.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { mutationRoute, type Route, readRoute } from '../../../control-plane/http/route.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { type OpenedSessions, sessionsSlice } from '../../../control-plane/sessions/open.js';
import type { NeedsSingleSignOn } from '../../../control-plane/sessions/validity.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import type { TestParts } from '../app.js';

export interface SessionsUnderTest extends OpenedSessions {
  /** What was sent. Mails of a transaction that runs again come again. */
  mails: OutgoingMail[];
}

/** Opens the slice on the database of a test. The app has an authenticator of its own, with its own cache. */
export async function openSessions(
  parts: TestParts,
  options: { publicUrl?: string; needsSingleSignOn?: NeedsSingleSignOn } = {},
): Promise<SessionsUnderTest> {
  const { db } = parts.mongo;
  const mails: OutgoingMail[] = [];
  const [workspaces, memberships] = [createWorkspacesStore(db), createMembershipsStore(db)];
  const opened = await sessionsSlice.open({
    ...{ ...parts, db, users: createUsersStore(db), workspaces, memberships, random: systemRandom },
    newFreeWorkspace: createNewFreeWorkspace({ ...parts, workspaces, join: createJoin({ ...parts, memberships }) }),
    ...{ publicUrl: 'http://picket.test', needsSingleSignOn: () => false, ...options },
    logger: createLogger({ name: 'test', level: 'silent' }),
    mailer: { send: async (_tx, mail) => void mails.push(mail) },
  });
  await opened.ensureIndexes?.();
  return { ...opened, mails };
}

const common = { tag: 'T', summary: 'S', replies: { 200: Type.Object({ email: Type.String() }) } } as const;

/** Routes that read and change, for requests whose answer does not matter. */
export const PING_ROUTES: Route[] = [
  readRoute({
    ...common,
    ...{ method: 'GET', path: '/v1/ping', access: 'any' },
    handle: async ({ actor }) => ({ status: 200, data: { email: actor.email } }),
  }),
  mutationRoute({
    ...common,
    ...{ method: 'POST', path: '/v1/ping', access: 'any' },
    handle: async ({ actor }) => ({ status: 200, data: { email: actor.email } }),
  }),
];
