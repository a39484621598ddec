import { Type } from 'typebox';
import { createJoin, createJoinTeam } from '../../../control-plane/accounts/join.js';
import { createEndMemberAccess, createEndOnJoin } from '../../../control-plane/accounts/member-access.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import { type Route, readRoute } from '../../../control-plane/http/route.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import type { InstallationProvider } from '../../../control-plane/single-sign-on/installation.js';
import { singleSignOnSlice } from '../../../control-plane/single-sign-on/open.js';
import { needsSingleSignOn } from '../../../control-plane/single-sign-on/sign-in/policy.js';
import { createEndInvitations } from '../../../control-plane/team/invitations/end.js';
import { createInvitationsStore } from '../../../control-plane/team/invitations/store.js';
import type { Clock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { type Answer, type RequestOptions, startApp, type TestApp } from '../app.js';
import { testDatabase } from '../database.js';
import { buildSession, type TestWorkspace } from '../factories.js';
import { openSessions, type SessionsUnderTest } from '../sessions/setup.js';
import type { Browser } from './browser.js';
import type { ProviderAccount } from './provider.js';

/** What the app believes to be its address. Tests reach it at another one, so no link can come from `Host`. */
export const PUBLIC_URL = 'http://picket.test';
export const CALLBACK = `${PUBLIC_URL}/v1/auth/sso/callback`;

interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

export interface SingleSignOnApp {
  app: TestApp;
  db: Awaited<ReturnType<typeof testDatabase>>['db'];
  sessions: SessionsUnderTest;
  /** Stores a domain as verified for a workspace; defaults to that of the app. */
  verifyDomain(domain: string, workspaceId?: string): Promise<void>;
  /** Starts a log-in; the answer is a redirect to the provider, or a page. */
  start(browser: Browser, query?: string): Promise<Answered>;
  /** Goes from the provider's address to the callback, and returns it at the address of the test's server. */
  callback(browser: Browser, location: string | null): Promise<string>;
  /** The whole way in a browser. */
  signIn(browser: Browser, query?: string): Promise<Answered>;
  /** The account of the session in a browser; null without one. */
  me(browser: Browser): Promise<Record<string, unknown> | null>;
  /** Sends a request of an owner who has just logged in; of the workspace of the app without `workspace`. */
  asOwner<Data = Record<string, unknown>>(
    method: string,
    path: string,
    options?: Omit<RequestOptions, 'key'> & { workspace?: Pick<TestWorkspace, 'id' | 'userId'> },
  ): Promise<Answer<Data>>;
  audit(action: string, workspaceId?: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface SingleSignOnOptions {
  installation?: InstallationProvider;
  dnsServers?: readonly string[];
  plan?: PlanName;
  operator?: boolean;
  clock?: Clock;
  /** Whether providers on this machine may be asked; defaults to true. */
  allowPrivateTargets?: boolean;
}

/** Starts the slice with sessions on the real HTTP server and database. Providers on loopback are allowed. */
export async function startSingleSignOn(options: SingleSignOnOptions = {}): Promise<SingleSignOnApp> {
  const mongo = await testDatabase();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const { installation = null, dnsServers = [], plan, clock, operator = false, allowPrivateTargets = true } = options;
  let mounts: readonly Mount[] = [];
  let sessions: SessionsUnderTest | null = null;
  const app = await startApp({
    ...{ mongo, operator, needsSingleSignOn },
    ...(plan === undefined ? {} : { plan }),
    ...(clock === undefined ? {} : { clock }),
    async routes(parts) {
      sessions = await openSessions(parts, { needsSingleSignOn });
      const { ofPeople } = sessions;
      const stores = {
        users: createUsersStore(mongo.db),
        memberships: createMembershipsStore(mongo.db),
        workspaces: createWorkspacesStore(mongo.db),
      };
      const guard = createTargetGuard({ allowPrivate: allowPrivateTargets });
      const endInvitations = createEndInvitations(createInvitationsStore(mongo.db));
      const slice = await singleSignOnSlice.open({
        ...{ ...parts, ...stores, db: mongo.db, box: parts.secretBox, guard, logger, random: systemRandom },
        ...{ installation, dnsServers, allowPrivateTargets, publicUrl: PUBLIC_URL },
        ...{ signIn: sessions.signIn, sessions: ofPeople, factors: { factorsOf: async () => [] } },
        proveAddress: async () => Promise.reject(new Error('every address is proved here')),
        join: createJoinTeam(
          createJoin({ memberships: stores.memberships, clock: parts.clock }),
          createEndOnJoin(() => [endInvitations]),
        ),
        endAccess: createEndMemberAccess(() => [
          endInvitations,
          {
            name: 'sessions_ended',
            end: (tx, { workspaceId, userId }) => ofPeople.endAll(tx, userId, { workspaceId }),
          },
        ]),
        fetch: createGuardedFetch({ guard, clock: parts.clock }),
      });
      await slice.ensureIndexes?.();
      mounts = slice.mounts ?? [];
      return [...(slice.routes ?? []), ...(sessions.routes ?? []), ...meRoutes()];
    },
    mounts: () => mounts,
  });
  if (sessions === null) throw new Error('the routes were not built');
  const start: SingleSignOnApp['start'] = (browser, query = `workspace=${app.workspace.id}`) =>
    browser.open(`${app.url}/v1/auth/sso/start?${query}`);
  const callback: SingleSignOnApp['callback'] = async (browser, location) =>
    (await browser.until(location ?? '', CALLBACK)).replace(PUBLIC_URL, app.url);
  return {
    ...{ app, db: mongo.db, sessions, start, callback },
    async verifyDomain(domain, workspaceId = app.workspace.id) {
      const times = { verified_at_ms: Date.now(), checked_at_ms: Date.now(), created_at_ms: Date.now() };
      const document = {
        _id: `${workspaceId}/${domain}`,
        workspace_id: workspaceId,
        domain,
        token: 't',
        version: 1,
        ...times,
      };
      await mongo.db.collection<typeof document>('single_sign_on_domains').insertOne(document);
    },
    async signIn(browser, query) {
      const started = await start(browser, query);
      return browser.open(await callback(browser, started.headers.get('location')));
    },
    async me(browser) {
      const { status, text } = await browser.open(`${app.url}/v1/test/me`);
      return status === 200 ? JSON.parse(text).data : null;
    },
    async asOwner(method, path, { workspace = app.workspace, headers = {}, ...options } = {}) {
      const { cookie } = await buildSession(mongo, workspace, { nowMs: app.parts.clock.now() });
      return app.request(method, path, { ...options, key: null, headers: { ...headers, cookie } });
    },
    audit: (action, workspaceId = app.workspace.id) =>
      mongo.db.collection('audit_log').find({ workspace_id: workspaceId, action }).sort({ _id: 1 }).toArray(),
    async close() {
      await app.close();
      await mongo.drop();
    },
  };
}

/** The settings of a provider for PUT /v1/single-sign-on. */
export function settingsOf(
  { issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string },
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { issuer, client_id: clientId, client_secret: clientSecret, default_role: 'member', ...more };
}

/** A person of a provider whose address is verified there. */
export function accountOf(email: string, claims: Record<string, unknown> = {}): ProviderAccount {
  return { sub: `subject of ${email}`, claims: { email, email_verified: true, ...claims } };
}

/** Shows who a session is of, and what it may do. */
function meRoutes(): Route[] {
  return (['any', 'person'] as const).map((access) =>
    readRoute({
      ...{ method: 'GET', path: `/v1/test/${access === 'any' ? 'me' : 'person'}`, access, tag: 'T', summary: 'S' },
      replies: { 200: Type.Any() },
      handle: async ({ actor }) => ({ status: 200, data: actor }),
    }),
  );
}
