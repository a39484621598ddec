import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Passwords } from '../accounts/passwords/password.js';
import { accountSchema } from '../accounts/schema.js';
import type { UsersStore } from '../accounts/users-store.js';
import { accountOf } from '../accounts/view.js';
import type { Scope } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { AttemptLimit } from '../second-factor/attempts/limit.js';
import type { SessionCookies } from '../sessions/cookie.js';
import type { RecordFailedLogIn } from '../sessions/failed-log-in.js';
import type { IsKnownDevice } from '../sessions/is-known-device.js';
import type { SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { Sessions } from '../sessions/sessions.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createAttemptsStore } from './attempts-store.js';
import { createConfirm } from './confirm.js';
import { createFailures } from './failures.js';
import { createLockOut, type LockOut } from './lock-out.js';
import { createLogIn, createWithLogIn } from './log-in.js';
import { createLogOut } from './log-out.js';
import { createSignInRoutes } from './routes.js';
import type { WithLogIn } from './with-log-in.js';

interface SignInSliceNeeds {
  db: Db;
  users: UsersStore;
  passwords: Passwords;
  sessions: Sessions;
  signIn: SignIn;
  cookies: SessionCookies;
  recordFailure: RecordFailedLogIn;
  isKnownDevice: IsKnownDevice;
  secondFactors: SecondFactorCheck;
  confirmations: AttemptLimit;
  audit: AuditLog;
  runTransaction: RunTransaction;
  publicUrl: string;
  /** Of all slices. */
  scopes: readonly Scope[];
  clock: Clock;
  logger: Logger;
}

export interface OpenedSignIn extends OpenedSlice {
  lockOut: LockOut;
  withLogIn: WithLogIn;
}

/** Log-in with a password, log-out, and the limits of guesses. */
export const signInSlice: Slice<'logIn', SignInSliceNeeds, OpenedSignIn> = {
  name: 'logIn',
  auditActions: ['auth.logout'],
  open(needs) {
    const store = createAttemptsStore(needs.db);
    const lockOut = createLockOut({ ...needs, store });
    const failures = createFailures(needs);
    const shared = { ...needs, lockOut, failures };
    const withLogIn = createWithLogIn(shared);
    return {
      lockOut,
      withLogIn,
      jobs: [failures],
      ensureIndexes: store.ensureIndexes,
      routes: createSignInRoutes({
        ...needs,
        logIn: createLogIn({ withLogIn, signIn: needs.signIn }),
        logOut: createLogOut(needs),
        confirm: createConfirm(shared),
        account: { schema: accountSchema(needs.scopes), of: accountOf },
      }),
    };
  },
};
