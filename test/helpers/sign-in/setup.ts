import * as argon2 from '@node-rs/argon2';
import { createPasswords, type Passwords } from '../../../control-plane/accounts/passwords/password.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { CONFIRMATION_GUESSES, createAttemptLimit } from '../../../control-plane/second-factor/attempts/limit.js';
import { createAttemptsStore } from '../../../control-plane/second-factor/attempts/store.js';
import type { SecondFactorCheck } from '../../../control-plane/sessions/second-factor-check.js';
import { signInSlice } from '../../../control-plane/sign-in/open.js';
import type { Clock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { type Answer, startApp, type TestApp } from '../app.js';
import type { testDatabase } from '../database.js';
import { DECLARED } from '../declared.js';
import { buildWorkspace, type TestWorkspace } from '../factories.js';
import { openSessions, PING_ROUTES, type SessionsUnderTest } from '../sessions/setup.js';

type TestMongo = Awaited<ReturnType<typeof testDatabase>>;

const PASSWORD = 'correct horse battery staple';

export interface SignInApp extends TestApp {
  /** Every hash against which a password was checked. */
  verified: (string | null)[];
  sessions: SessionsUnderTest;
  /** Creates a person with `PASSWORD`. */
  person(options?: { email?: string }): Promise<TestWorkspace>;
  /** Sends a log-in, by default with the right password and from another address for `from`. */
  logIn(email: string, options?: LogInOptions): Promise<Answer<Record<string, unknown>>>;
}

export interface LogInOptions {
  password?: string;
  /** The address of the client. */
  from?: string;
  headers?: Record<string, string>;
  totp?: string;
}

export interface SignInOptions {
  clock?: Clock;
  secondFactors?: SecondFactorCheck;
  /** Every transaction of a log-in waits for it before it begins. */
  beforeTransaction?: () => Promise<void>;
}

/** Starts log-in, log-out and sessions. Several apps on one database are several control planes. */
export async function startSignIn(mongo: TestMongo, options: SignInOptions = {}): Promise<SignInApp> {
  const { secondFactors = { factorsOf: async () => [], verify: async () => 'wrong' as const } } = options;
  const verified: (string | null)[] = [];
  const real = createPasswords({ argon2, cores: 3, key: Buffer.alloc(32, 7) });
  const passwords: Passwords = {
    ...real,
    verify(hash, password, by) {
      verified.push(hash);
      return real.verify(hash, password, by);
    },
  };
  const hash = await real.hash(PASSWORD);
  const confirmations = createAttemptLimit({
    ...{ store: createAttemptsStore(mongo.db), random: systemRandom },
    ...{ kind: 'confirmation', limit: CONFIRMATION_GUESSES },
  });
  let sessions: SessionsUnderTest | undefined;
  const app = await startApp({
    ...{ mongo, trustedProxies: ['127.0.0.1'] },
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    async routes(parts) {
      sessions = await openSessions(parts);
      const slice = await signInSlice.open({
        ...{ ...parts, ...sessions, sessions: sessions.ofPeople, db: mongo.db, users: createUsersStore(mongo.db) },
        async runTransaction(work) {
          await options.beforeTransaction?.();
          return parts.runTransaction(work);
        },
        ...{ passwords, secondFactors, confirmations, publicUrl: 'http://picket.test', scopes: DECLARED.scopes },
        logger: createLogger({ name: 'test', level: 'silent' }),
      });
      await slice.ensureIndexes?.();
      return [...PING_ROUTES, ...(sessions.routes ?? []), ...(slice.routes ?? [])];
    },
  });
  if (sessions === undefined) throw new Error('the routes were not made');
  return {
    ...{ ...app, verified, sessions },
    async person({ email } = {}) {
      const workspace = await buildWorkspace(mongo, email === undefined ? {} : { email });
      const user = { _id: workspace.userId };
      await mongo.db.collection<{ _id: string }>('users').updateOne(user, { $set: { password_hash: hash } });
      return workspace;
    },
    logIn(email, { password = PASSWORD, from = '192.0.2.1', headers = {}, totp } = {}) {
      return app.request('POST', '/v1/auth/login', {
        key: null,
        headers: { 'x-forwarded-for': from, ...headers },
        body: { email, password, ...(totp === undefined ? {} : { totp }) },
      });
    },
  };
}

/** Returns the `Cookie` header for the session that an answer has opened. */
export function sessionOf(answer: Pick<Answer<unknown>, 'headers'>): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
