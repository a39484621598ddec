import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { Person } from '../person.js';
import type { SecondFactorsStore } from '../store.js';
import { otpauthUrl, TOTP_SECRET_BYTES, totpSecretText } from './code.js';
import { qrCodeSvg } from './qr-code.js';

/** How long a person has to enter the first code of the app. */
const ENROLMENT_MS = 900_000;

export type EnrolTotp = (tx: Transaction, person: Person) => Promise<TotpEnrolment>;

export interface TotpEnrolment {
  secret: string;
  otpauth_url: string;
  qr_svg: string;
  expiresAtMs: number;
}

/**
 * Returns the verb that makes a secret for an authenticator app. Nothing needs it before a code of it is verified; a
 * TOTP that the person has already works until then. A new secret replaces one that waits for verification.
 */
export function createEnrolTotp(needs: {
  factors: SecondFactorsStore;
  changes: SecondFactorChanges;
  box: SecretBox;
  random: Random;
  clock: Clock;
}): EnrolTotp {
  const { factors, changes, box, random, clock } = needs;
  return async (tx, person) => {
    await changes.begin(tx, person);
    const secret = totpSecretText(random.bytes(TOTP_SECRET_BYTES));
    const expiresAtMs = clock.now() + ENROLMENT_MS;
    const sealed_secret = box.seal(secret, { purpose: 'totp', id: person.userId });
    await factors.setPending(tx, person.userId, { sealed_secret, expires_at_ms: expiresAtMs });
    const url = otpauthUrl(secret, person.actor.email);
    return { secret, otpauth_url: url, qr_svg: await qrCodeSvg(url), expiresAtMs };
  };
}
