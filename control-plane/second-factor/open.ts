import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { RequiringWorkspaces } from '../accounts/requiring-workspaces.js';
import { accountSchema } from '../accounts/schema.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Scope } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { createSchemaCompiler } from '../http/input/schema-check.js';
import type { Pager } from '../http/paging.js';
import type { Mailer } from '../mail/mailer.js';
import type { RecordFailedLogIn } from '../sessions/failed-log-in.js';
import type { Sessions } from '../sessions/sessions.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { DatabaseTime } from '../storage/clock/database-time.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import { CONFIRMATION_GUESSES, createAttemptLimit, LOG_IN_GUESSES } from './attempts/limit.js';
import { createAttemptsStore } from './attempts/store.js';
import { createSecondFactorChanges } from './changes.js';
import { createSecondFactorCheck, withAttemptLimit } from './check.js';
import { createOverview } from './overview.js';
import { createAssertPasskey } from './passkeys/assert.js';
import { createChallenges } from './passkeys/challenge.js';
import { createPasskeyLogIn } from './passkeys/log-in.js';
import { createPasskeyLogInRoutes } from './passkeys/log-in-routes.js';
import { createPasskeyRegistration } from './passkeys/register.js';
import { relyingPartyOf } from './passkeys/relying-party.js';
import { createRemovePasskey } from './passkeys/remove.js';
import { createRenamePasskey } from './passkeys/rename.js';
import { createPasskeyRoutes } from './passkeys/routes.js';
import { AssertionCredential } from './passkeys/schema.js';
import { createPasskeysStore } from './passkeys/store.js';
import { createUsedChallengesStore } from './passkeys/used-challenges-store.js';
import { createProveFactor } from './prove.js';
import { createRenewRecoveryCodes } from './recovery-codes/renew.js';
import { createRecoveryCodeNotice } from './recovery-codes/used.js';
import { createSecondFactorRoutes } from './routes.js';
import type { SecondFactors } from './second-factor.js';
import { createSecondFactorsStore } from './store.js';
import { summaryOf } from './summary.js';
import { createDisableTotp } from './totp/disable.js';
import { createEnrolTotp } from './totp/enrol.js';
import { createCodeRepeated } from './totp/repeated.js';
import { createVerifyTotp } from './totp/verify.js';

export interface SecondFactorNeeds {
  db: Db;
  runTransaction: RunTransaction;
  users: UsersStore;
  sessions: Sessions;
  signIn: SignIn;
  mailer: Mailer;
  audit: AuditLog;
  requiringWorkspaces: RequiringWorkspaces;
  recordFailure: RecordFailedLogIn;
  secretBox: SecretBox;
  databaseTime: DatabaseTime;
  publicUrl: string;
  /** The scopes of all slices, for the schema of an account. */
  scopes: readonly Scope[];
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface OpenedSecondFactors extends OpenedSlice, SecondFactors {}

/** Authenticator apps, recovery codes and passkeys. */
export const secondFactorSlice: Slice<'secondFactors', SecondFactorNeeds, OpenedSecondFactors> = {
  name: 'secondFactors',
  auditActions: [
    ...(['auth.mfa_enabled', 'auth.mfa_disabled', 'auth.recovery_codes_renewed', 'auth.passkey_renamed'] as const),
    // `own-account` writes this action too.
    'auth.change_refused',
  ],
  idPrefixes: ['pky'],
  open(needs) {
    const parts = partsOf(needs);
    const { factors, passkeys, usedChallenges, attempts, check, confirmations, logIns } = parts;
    return {
      check: withAttemptLimit(check, logIns),
      confirmations,
      summary: async (userId) => summaryOf(await factors.find(userId)),
      withFactor: factors.withFactor,
      async forget(tx, userId) {
        await factors.remove(tx, userId);
        await passkeys.removeAll(tx, userId);
      },
      routes: [...codeRoutes(needs, parts), ...passkeyRoutes(needs, parts)],
      async ensureIndexes() {
        for (const store of [passkeys, usedChallenges, attempts]) await store.ensureIndexes();
      },
    };
  },
};

/** What the routes share. */
function partsOf(needs: SecondFactorNeeds) {
  const { db, secretBox: box, random, clock } = needs;
  const factors = createSecondFactorsStore(db);
  const passkeys = createPasskeysStore(db);
  const usedChallenges = createUsedChallengesStore(db);
  const attempts = createAttemptsStore(db);
  const party = relyingPartyOf(needs.publicUrl);
  const challenges = createChallenges({ box, random, now: () => clock.now() });
  const changes = createSecondFactorChanges({ ...needs, factors, box });
  const assertPasskey = createAssertPasskey({ ...needs, passkeys, challenges, usedChallenges, party });
  const check = createSecondFactorCheck({
    ...{ ...needs, factors, box, assertPasskey },
    credentials: createSchemaCompiler()(AssertionCredential),
    recoveryCodeUsed: createRecoveryCodeNotice(needs),
    codeRepeated: createCodeRepeated({ ...needs, factors }),
  });
  return {
    ...{ factors, passkeys, usedChallenges, attempts, party, challenges, changes, assertPasskey, check },
    confirmations: createAttemptLimit({ store: attempts, random, kind: 'confirmation', limit: CONFIRMATION_GUESSES }),
    logIns: createAttemptLimit({ store: attempts, random, kind: 'log-in', limit: LOG_IN_GUESSES }),
  };
}

type Parts = ReturnType<typeof partsOf>;

function codeRoutes(needs: SecondFactorNeeds, parts: Parts) {
  const { factors, passkeys, changes, check, confirmations } = parts;
  const shared = { ...needs, box: needs.secretBox, factors, passkeys, changes };
  return createSecondFactorRoutes({
    overview: createOverview({ ...needs, factors }),
    enrolTotp: createEnrolTotp(shared),
    verifyTotp: createVerifyTotp(shared),
    disableTotp: createDisableTotp(shared),
    renewRecoveryCodes: createRenewRecoveryCodes(shared),
    proveFactor: createProveFactor({ users: needs.users, check, attempts: confirmations }),
  });
}

function passkeyRoutes(needs: SecondFactorNeeds, parts: Parts) {
  const shared = { ...needs, ...parts };
  return [
    ...createPasskeyRoutes({
      ...shared,
      registration: createPasskeyRegistration(shared),
      renamePasskey: createRenamePasskey(shared),
      removePasskey: createRemovePasskey(shared),
    }),
    ...createPasskeyLogInRoutes({
      ...shared,
      logIn: createPasskeyLogIn(shared),
      Account: accountSchema(needs.scopes),
    }),
  ];
}
