import * as argon2 from '@node-rs/argon2';
import { createJoin } from '../../../control-plane/accounts/join.js';
import { createMembershipsStore, membershipId } from '../../../control-plane/accounts/memberships-store.js';
import { createNewFreeWorkspace } from '../../../control-plane/accounts/new-free-workspace.js';
import { createOneTimeTokens } from '../../../control-plane/accounts/one-time-tokens/one-time-tokens.js';
import { createOneTimeTokensStore } from '../../../control-plane/accounts/one-time-tokens/store.js';
import { createPasswords } from '../../../control-plane/accounts/passwords/password.js';
import { createPasswordProblem } from '../../../control-plane/accounts/passwords/password-strength.js';
import { createStandingStore } from '../../../control-plane/accounts/standing/store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { Route } from '../../../control-plane/http/route.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { ownAccountSlice } from '../../../control-plane/own-account/open.js';
import { createRecipientQuotas } from '../../../control-plane/recipients/quotas/quotas.js';
import { createRecipientQuotasStore } from '../../../control-plane/recipients/quotas/store.js';
import type { Role } from '../../../control-plane/roles.js';
import { createAttemptsStore } from '../../../control-plane/sign-in/attempts-store.js';
import { createLockOut } from '../../../control-plane/sign-in/lock-out.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { workspacesSlice } from '../../../control-plane/workspaces/open.js';
import type { Clock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { type Answer, startApp, type TestApp, type TestParts } from '../app.js';
import { quickClock } from '../clock.js';
import type { testDatabase } from '../database.js';
import { DECLARED } from '../declared.js';
import { buildSession, buildWorkspace } from '../factories.js';
import { openSessions, PING_ROUTES } from '../sessions/setup.js';

export const PASSWORD = 'correct horse battery staple';
export const OTHER_PASSWORD = 'seven purple lamps on a shelf';

/** Somebody who is logged in. */
export interface TestPerson {
  userId: string;
  email: string;
  workspaceId: string;
  workspaceName: string;
  cookie: string;
}

type TestDatabase = Awaited<ReturnType<typeof testDatabase>>;

interface OwnAccountOptions {
  signUpOpen?: boolean;
  confirmEmail?: boolean;
}

/** Starts the routes of accounts and workspaces, with a clock that a test moves forward. Delays are 100 times shorter. */
export async function startOwnAccount(mongo: TestDatabase, options: OwnAccountOptions = {}) {
  const { db } = mongo;
  const mails: OutgoingMail[] = [];
  let aheadMs = 0;
  const sleeps: number[] = [];
  let wake: Promise<void> | null = null;
  const quick = quickClock(100);
  const clock: Clock = {
    ...quick,
    now: () => Date.now() + aheadMs,
    sleep(delayMs, signal) {
      sleeps.push(delayMs);
      return wake ?? quick.sleep(delayMs, signal);
    },
  };
  const passwords = createPasswords({ argon2, cores: 2, key: Buffer.alloc(32, 7) });
  const app = await startApp({
    ...{ mongo, clock, trustedProxies: ['127.0.0.1'] },
    routes: (parts) => openRoutes(parts, { ...options, mongo, clock, passwords, mails }),
  });
  return {
    ...app,
    clock,
    /** Moves the time forward. */
    later: (ms: number) => {
      aheadMs += ms;
    },
    /** For how long requests have slept, in the milliseconds of the product. */
    sleeps,
    /** From now on, requests sleep until the promise resolves. null: until their time is over. */
    sleepUntil: (promise: Promise<void> | null) => {
      wake = promise;
    },
    ...createPeople(mongo, { clock, hash: await passwords.hash(PASSWORD) }),
    as: createAs(app),
    /** The mails to an address, oldest first. */
    mailsTo: (address: string, kind?: string) =>
      mails.filter((mail) => mail.to === address && (kind === undefined || mail.kind === kind)),
    /** The audit log's entries of an action by a person. */
    entries: (action: string, userId: string) =>
      db.collection('audit_log').find({ action, 'actor.id': userId }).sort({ _id: 1 }).toArray(),
  };
}

interface RoutesNeeds extends OwnAccountOptions {
  mongo: TestDatabase;
  clock: Clock;
  passwords: ReturnType<typeof createPasswords>;
  /** Gets every mail that is sent. */
  mails: OutgoingMail[];
}

/** Opens the slices of accounts and workspaces. */
async function openRoutes(parts: TestParts, needs: RoutesNeeds): Promise<readonly Route[]> {
  const { mongo, clock, passwords, mails, signUpOpen = true, confirmEmail = true } = needs;
  const { db } = mongo;
  const sessions = await openSessions(parts);
  const [workspaces, memberships] = [createWorkspacesStore(db), createMembershipsStore(db)];
  const tokens = createOneTimeTokensStore(db);
  await tokens.ensureIndexes();
  const shared = {
    ...{ ...parts, ...sessions, db, sessions: sessions.ofPeople, random: systemRandom, owner: 'test' },
    ...{ users: createUsersStore(db), workspaces, memberships, leases: createLeaseStore(db) },
    newFreeWorkspace: createNewFreeWorkspace({ ...parts, workspaces, join: createJoin({ ...parts, memberships }) }),
    mailer: {
      send: async (tx: { afterCommit(run: () => void): void }, mail: OutgoingMail) => {
        tx.afterCommit(() => mails.push(mail));
        return undefined;
      },
    },
    ...{ publicUrl: 'http://picket.test', logger: createLogger({ name: 'test', level: 'silent' }) },
    forgetFactors: async () => {},
    endAccess: async () => ({}),
    disableChannels: async () => 0,
  };
  const own = await ownAccountSlice.open({
    ...{ ...shared, passwords, signUpOpen, confirmEmail, smtpUrl: null, scopes: DECLARED.scopes },
    tokens: createOneTimeTokens({ ...shared, store: tokens }),
    secondFactors: { summary: async () => ({ totp: false, passkeys: 0, recoveryCodes: 0 }) },
    passwordProblem: createPasswordProblem(),
    endAddress: async () => ({}),
    countChange: createRecipientQuotas({ store: createRecipientQuotasStore(db), clock }).countAddressChange,
    countedGuess: createLockOut({ store: createAttemptsStore(db), clock }).attempt,
  });
  const ofWorkspaces = await workspacesSlice.open({
    ...{ ...shared, standings: createStandingStore(db, clock), hasRenewingSubscription: async () => false },
    ...{ databaseTime: async () => clock.now(), runTaskTransaction: parts.runTransaction },
  });
  return [...PING_ROUTES, ...(own.routes ?? []), ...(ofWorkspaces.routes ?? [])];
}

/** `hash` is of `PASSWORD`. */
function createPeople(mongo: TestDatabase, { clock, hash }: { clock: Clock; hash: string }) {
  const { db } = mongo;
  async function join(user_id: string, { workspaceId: workspace_id, role }: { workspaceId: string; role: Role }) {
    const _id = membershipId(workspace_id, user_id);
    const membership = { _id, workspace_id, user_id, role, created_at_ms: clock.now() };
    await db.collection<{ _id: string }>('memberships').insertOne(membership);
  }
  return {
    join,
    /** A confirmed owner of a new workspace, or a member of one that exists, with `PASSWORD`. */
    async person(joins?: { workspaceId: string; role: Role }): Promise<TestPerson> {
      const { id, name, userId, email } = await buildWorkspace(mongo);
      const set = { $set: { password_hash: hash, email_confirmed_at_ms: clock.now() } };
      await db.collection<{ _id: string }>('users').updateOne({ _id: userId }, set);
      if (joins !== undefined) await join(userId, joins);
      const workspaceId = joins?.workspaceId ?? id;
      const { cookie } = await buildSession(mongo, { id: workspaceId, userId }, { nowMs: clock.now() });
      return { userId, email, workspaceId, workspaceName: name, cookie };
    },
  };
}

/** Returns a function that sends a request of a person; null for somebody who is not logged in. */
function createAs(app: TestApp) {
  let networks = 0;
  return (
    person: Pick<TestPerson, 'cookie'> | null,
    method: string,
    path: string,
    body?: unknown,
    // Each comes from another network.
    from = `198.51.${networks >> 8}.${networks & 255}`,
  ): Promise<Answer<Record<string, unknown>>> => {
    networks += 1;
    const headers = { 'x-forwarded-for': from, ...(person === null ? {} : { cookie: person.cookie }) };
    return app.request(method, path, { key: null, headers, ...(body === undefined ? {} : { body }) });
  };
}

/** Returns the token in the link of a mail. */
export function tokenOf(mail: OutgoingMail | undefined): string {
  return /#token=(.{43})$/.exec(mail?.action?.url ?? '')?.[1] ?? 'none';
}
