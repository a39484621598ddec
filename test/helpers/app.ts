import { Registry } from 'prom-client';
import {
  createKeyAuthenticator,
  type KeyAuthenticator,
} from '../../control-plane/accounts/api-keys/key-authenticator.js';
import { createApiKeysStore } from '../../control-plane/accounts/api-keys/store.js';
import { createMembershipsStore } from '../../control-plane/accounts/memberships-store.js';
import { createOperators, type Operators } from '../../control-plane/accounts/operators.js';
import { createUsersStore } from '../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../control-plane/accounts/workspaces-store.js';
import type { AuditLog } from '../../control-plane/audit/audit.js';
import { createAuditLog } from '../../control-plane/audit/record.js';
import { createRefusals } from '../../control-plane/audit/refusals.js';
import { createAuditStore } from '../../control-plane/audit/store.js';
import { createHttpApp } from '../../control-plane/http/app.js';
import type { Authenticator } from '../../control-plane/http/authenticate.js';
import { connectionLimitsFor } from '../../control-plane/http/connections/connection-limit.js';
import { createIdempotency } from '../../control-plane/http/idempotency/idempotency.js';
import { createIdempotencyStore } from '../../control-plane/http/idempotency/store.js';
import { createRateLimiter } from '../../control-plane/http/limits/rate-limit.js';
import { createRateLimitStore } from '../../control-plane/http/limits/rate-limit-store.js';
import { createHttpMetrics } from '../../control-plane/http/metrics/metrics.js';
import type { Mount } from '../../control-plane/http/mount.js';
import { withOpenApiRoute } from '../../control-plane/http/openapi/document.js';
import { createPager, type Pager } from '../../control-plane/http/paging.js';
import type { Problem } from '../../control-plane/http/problem.js';
import type { Route } from '../../control-plane/http/route.js';
import { listen } from '../../control-plane/http/server.js';
import { PLANS, type PlanName } from '../../control-plane/plans/plans.js';
import { createSessionAuthenticator } from '../../control-plane/sessions/authenticator.js';
import { createSessionCookies } from '../../control-plane/sessions/cookie.js';
import { createSessions } from '../../control-plane/sessions/create-sessions.js';
import type { Sessions } from '../../control-plane/sessions/sessions.js';
import { createSessionsStore } from '../../control-plane/sessions/store.js';
import type { NeedsSingleSignOn } from '../../control-plane/sessions/validity.js';
import { createCursors } from '../../control-plane/storage/cursor.js';
import { createIds, type Ids } from '../../control-plane/storage/ids.js';
import type { Mongo } from '../../control-plane/storage/mongo.js';
import { createSecretBox, type SecretBox } from '../../control-plane/storage/secret-box.js';
import { createRunTransaction, type RunTransaction } from '../../control-plane/storage/transaction.js';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { exactNetworks, readNetworks } from '../../kernel/guard/networks.js';
import { createLogger, type Logger } from '../../kernel/logger.js';
import { systemRandom } from '../../kernel/random.js';
import { buildKey, buildWorkspace, type TestWorkspace } from './factories.js';
import { createConformance, type OpenApi } from './openapi.js';

/** The parts that most routes need. */
export interface TestParts {
  mongo: Mongo;
  clock: Clock;
  ids: Ids;
  runTransaction: RunTransaction;
  audit: AuditLog;
  pager: Pager;
  secretBox: SecretBox;
  keyAuthenticator: KeyAuthenticator;
  operators: Operators;
  /** Sessions of people, whose cookies the app accepts. */
  sessions: Sessions;
  sessionAuthenticator: Authenticator;
}

export interface TestAppOptions {
  mongo: Mongo;
  routes: readonly Route[] | ((parts: TestParts) => readonly Route[] | Promise<readonly Route[]>);
  mounts?: readonly Mount[] | ((parts: TestParts) => readonly Mount[]);
  /** The plan of the workspace of `key`. Defaults to Enterprise. */
  plan?: PlanName;
  /** Whether it operates the installation, like that of the first run. Defaults to true. */
  operator?: boolean;
  /** The requests per minute of each caller. Defaults to no limit. null: the limit of the plan. */
  rateLimit?: number | null;
  /** Proxies whose `X-Forwarded-For` is believed: addresses or networks. Defaults to none. */
  trustedProxies?: readonly string[];
  clock?: Clock;
  /** Defaults to a silent one. */
  logger?: Logger;
  /** Which sessions their workspace does not admit. Defaults to none. */
  needsSingleSignOn?: NeedsSingleSignOn;
  /** Ways to authenticate beside API keys. */
  authenticators?: readonly Authenticator[] | ((parts: TestParts) => readonly Authenticator[]);
}

export interface Answer<Data> {
  status: number;
  headers: Headers;
  /** The whole body as sent. */
  text: string;
  /** The parsed body: the envelope, or a problem. */
  body: { data: Data; next_cursor?: string | null } & Problem;
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. Needs `headers['content-type']`. */
  rawBody?: string | Buffer<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Replaces the key of the app. null: no key. */
  key?: string | null;
}

export interface TestApp {
  url: string;
  port: number;
  /** A full-access key of `workspace`. */
  key: string;
  workspace: TestWorkspace;
  parts: TestParts;
  registry: Registry;
  /** `Data` is the shape of `data` that the test expects. */
  request<Data = Record<string, unknown>>(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<Answer<Data>>;
  close(): Promise<void>;
}

/** The URL that links in mails and the origin of requests must have. */
const PUBLIC_URL = 'http://picket.test';

/**
 * Starts the real HTTP server of a control plane with the given routes and the given real database. Each
 * response must conform to the OpenAPI document of the routes.
 */
export async function startApp(options: TestAppOptions): Promise<TestApp> {
  const { mongo, mounts = [], plan = 'Enterprise', operator = true, rateLimit = 0, clock = systemClock } = options;
  const others = options.authenticators ?? [];
  const logger = options.logger ?? createLogger({ name: 'test', level: 'silent' });
  const ids = createIds(clock, systemRandom);
  const runTransaction = createRunTransaction(mongo.client);
  const stores = {
    users: createUsersStore(mongo.db),
    memberships: createMembershipsStore(mongo.db),
    keys: createApiKeysStore(mongo.db),
    sessions: createSessionsStore(mongo.db),
    audit: createAuditStore(mongo.db),
    idempotency: createIdempotencyStore(mongo.db),
    rates: createRateLimitStore(mongo.db),
  };
  await Promise.all(Object.values(stores).map((store) => store.ensureIndexes()));
  const workspace = await buildWorkspace(mongo, { plan, operator });
  const { key } = await buildKey(mongo, workspace);
  const serverKey = systemRandom.bytes(32);
  const sessionAuthenticator = createSessionAuthenticator({
    ...{
      store: stores.sessions,
      memberships: stores.memberships,
      cookies: createSessionCookies(PUBLIC_URL),
      publicUrl: PUBLIC_URL,
      clock,
      logger,
    },
    needsSingleSignOn: options.needsSingleSignOn ?? (() => false),
  });
  const parts: TestParts = {
    mongo,
    clock,
    ids,
    runTransaction,
    audit: createAuditLog({ store: stores.audit, ids }),
    pager: createPager(createCursors(serverKey)),
    secretBox: createSecretBox(serverKey, systemRandom),
    operators: createOperators({ workspaces: createWorkspacesStore(mongo.db), memberships: stores.memberships }),
    keyAuthenticator: createKeyAuthenticator({ store: stores.keys, clock, logger }),
    sessions: createSessions({ store: stores.sessions, clock, invalidate: sessionAuthenticator.invalidate }),
    sessionAuthenticator,
  };
  const registry = new Registry();
  const rateLimiter = createRateLimiter({
    store: stores.rates,
    clock,
    logger,
    limits: { override: rateLimit, ofActor: (actor) => PLANS[actor.plan].requestsPerMinute },
  });
  rateLimiter.start();
  const own = typeof options.routes === 'function' ? await options.routes(parts) : options.routes;
  const routes = withOpenApiRoute(own, { version: '0.0.0', publicUrl: PUBLIC_URL });
  const document = await openApiDocumentOf(routes);
  const deviations = createConformance(document);
  const refusals = createRefusals({ ...parts, store: stores.rates, logger });
  const trustedProxies = exactNetworks(readNetworks('PICKET_TRUSTED_PROXIES', (options.trustedProxies ?? []).join()));
  const app = createHttpApp({
    routes,
    mounts: typeof mounts === 'function' ? mounts(parts) : mounts,
    authenticators: [
      parts.keyAuthenticator,
      sessionAuthenticator,
      ...(typeof others === 'function' ? others(parts) : others),
    ],
    runTransaction,
    idempotency: createIdempotency({ ...parts, store: stores.idempotency, logger }),
    recordRefusal: refusals.record,
    rateLimiter,
    trustedProxies,
    metrics: createHttpMetrics(registry),
    publicUrl: PUBLIC_URL,
    clock,
    random: systemRandom,
    logger,
  });
  const server = await listen({
    ...{ app, host: '127.0.0.1', port: 0, trustedProxies, connectionLimits: connectionLimitsFor(null) },
    ...{ clock, random: systemRandom, logger },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    port: server.port,
    key,
    workspace,
    parts,
    registry,
    async request<Data>(method: string, path: string, request: RequestOptions = {}) {
      const answer = await send<Data>(`${url}${path}`, method, key, request);
      const wrong = deviations({ method, path, ...answer });
      if (wrong.length === 0) return answer;
      throw new Error(`${method} ${path}: not as documented: ${wrong.join('; ')}\n${answer.text.slice(0, 1_000)}`);
    },
    async close() {
      await server.close(1_000);
      await rateLimiter.stop();
    },
  };
}

async function send<Data>(url: string, method: string, ownKey: string, options: RequestOptions): Promise<Answer<Data>> {
  const key = options.key === undefined ? ownKey : options.key;
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  };
}

async function openApiDocumentOf(routes: readonly Route[]): Promise<OpenApi> {
  const route = routes.find(({ path }) => path === '/v1/openapi.json');
  if (route?.kind !== 'read') throw new Error('no route serves the OpenAPI document');
  const reply = await route.handle({} as never);
  return JSON.parse(String(reply.raw?.body));
}
