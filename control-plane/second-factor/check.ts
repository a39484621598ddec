import type { UserDocument } from '../accounts/documents.js';
import { invalidField, invalidFields } from '../errors.js';
import type { SchemaCheck } from '../http/input/schema-check.js';
import type { GivenFactors, ProofOrigin, SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { DatabaseTime } from '../storage/clock/database-time.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { Transaction } from '../storage/transaction.js';
import type { AttemptLimit } from './attempts/limit.js';
import type { SecondFactorDocument } from './documents.js';
import type { AssertPasskey } from './passkeys/assert.js';
import type { AssertionCredential } from './passkeys/schema.js';
import { recoveryCodeHash } from './recovery-codes/code.js';
import type { RecoveryCodeNotice } from './recovery-codes/used.js';
import type { SecondFactorsStore } from './store.js';
import { hasSecondFactor, secondFactorsOf, summaryOf } from './summary.js';
import { matchingStep } from './totp/code.js';
import type { CodeRepeated } from './totp/repeated.js';

/** Who sends a second factor, with what they have set up. */
interface Prover {
  user: UserDocument;
  own: SecondFactorDocument;
  from: ProofOrigin;
}

/** Returns the check of second factors. Each code and each answer of an authenticator works once. */
export function createSecondFactorCheck(needs: {
  factors: SecondFactorsStore;
  box: SecretBox;
  assertPasskey: AssertPasskey;
  /** Of `AssertionCredential`. */
  credentials: SchemaCheck<AssertionCredential>;
  databaseTime: DatabaseTime;
  /** Called when a recovery code was right, with the codes that are left. */
  recoveryCodeUsed: RecoveryCodeNotice;
  /** Called when a code of the authenticator app was right, but not new. */
  codeRepeated: CodeRepeated;
}): SecondFactorCheck {
  const { factors, box, assertPasskey, credentials, databaseTime, codeRepeated } = needs;

  async function isTotp(tx: Transaction, { user, own: { _id, totp }, from }: Prover, code: string) {
    if (totp === null) return false;
    const secret = box.open(totp.sealed_secret, { purpose: 'totp', id: _id });
    // The clock of the database, so that a control plane with a wrong clock lets people in too.
    const nowMs = await databaseTime();
    const step = matchingStep(secret, code, nowMs);
    if (step === null) return false;
    const isNew = await factors.acceptStep(tx, _id, totp.sealed_secret, step);
    if (!isNew) await codeRepeated(user, from, nowMs);
    return isNew;
  }

  async function isRecoveryCode(tx: Transaction, { user, own, from }: Prover, code: string): Promise<boolean> {
    const hash = own.recovery === null ? null : recoveryCodeHash(box, own.recovery.salt, code);
    if (hash === null || !(await factors.useRecoveryCode(tx, user._id, hash))) return false;
    await needs.recoveryCodeUsed(tx, { user, from, left: summaryOf(own).recoveryCodes - 1 });
    return true;
  }

  async function isPasskey(tx: Transaction, user: UserDocument, value: unknown): Promise<boolean> {
    const credential = credentials.read(value);
    if (!credential.ok) throw invalidFields(credential.errors, 'In passkey: ');
    return (await assertPasskey(tx, credential.value, user._id)).right;
  }

  async function isRight(tx: Transaction, user: UserDocument, given: GivenFactors, from: ProofOrigin) {
    const own = await factors.findIn(tx, user._id);
    if (own === null || !hasSecondFactor(summaryOf(own))) return false;
    if (given.passkey !== undefined) return isPasskey(tx, user, given.passkey);
    if (given.totp !== undefined) return isTotp(tx, { user, own, from }, given.totp);
    return isRecoveryCode(tx, { user, own, from }, given.recovery_code ?? '');
  }

  return {
    factorsOf: async (user) => secondFactorsOf(summaryOf(await factors.find(user._id))),
    async verify(tx, user, given, from) {
      const count = [given.totp, given.recovery_code, given.passkey].filter((value) => value !== undefined).length;
      if (count === 0) return 'missing';
      if (count > 1) throw invalidField('', 'must contain only one of totp, recovery_code and passkey');
      return (await isRight(tx, user, given, from)) ? 'right' : 'wrong';
    },
  };
}

/** Returns the check with a limit of wrong guesses about each person. */
export function withAttemptLimit(check: SecondFactorCheck, attempts: AttemptLimit): SecondFactorCheck {
  return {
    factorsOf: check.factorsOf,
    async verify(tx, user, given, from) {
      if (Object.keys(given).length === 0) return 'missing';
      const isRight = async () => (await check.verify(tx, user, given, from)) === 'right';
      return (await attempts.attempt(user._id, isRight)) ? 'right' : 'wrong';
    },
  };
}
