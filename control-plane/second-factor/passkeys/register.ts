import type { Clock } from '../../../kernel/clock.js';
import { AppError, invalidField } from '../../errors.js';
import type { Ids } from '../../storage/ids.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { PasskeyDocument } from '../documents.js';
import type { Person } from '../person.js';
import type { SecondFactorsStore } from '../store.js';
import { hasSecondFactor } from '../summary.js';
import type { Challenges } from './challenge.js';
import { registrationOptions } from './options.js';
import { type RelyingParty, requireRelyingParty } from './relying-party.js';
import type { RegistrationCredential, RegistrationOptions } from './schema.js';
import type { PasskeysStore } from './store.js';
import type { UsedChallengesStore } from './used-challenges-store.js';
import { claimedChallenge } from './verify-assertion.js';
import { type NewPasskey, verifyRegistration } from './verify-registration.js';

export const PASSKEYS_PER_PERSON_MAX = 20;

export interface PasskeyRegistration {
  /** Returns what the browser needs to make a passkey. Works only in this session. */
  options(tx: Transaction, person: Person): Promise<RegistrationOptions>;
  /** Stores a passkey. `recoveryCodes` are ten new ones when it is the first second factor of the person. */
  register(
    tx: Transaction,
    person: Person,
    input: { name: string; credential: RegistrationCredential },
  ): Promise<{ passkey: PasskeyDocument; recoveryCodes: string[] | null }>;
}

interface Needs {
  passkeys: PasskeysStore;
  factors: SecondFactorsStore;
  changes: SecondFactorChanges;
  challenges: Challenges;
  usedChallenges: UsedChallengesStore;
  party: RelyingParty | null;
  ids: Ids;
  clock: Clock;
}

export function createPasskeyRegistration(needs: Needs): PasskeyRegistration {
  const { passkeys, factors, changes, challenges, ids, clock } = needs;

  async function roomFor(tx: Transaction, person: Person): Promise<PasskeyDocument[]> {
    const own = await passkeys.allOf(tx, person.userId, PASSKEYS_PER_PERSON_MAX);
    if (own.length < PASSKEYS_PER_PERSON_MAX) return own;
    throw new AppError('conflict', `A person has at most ${PASSKEYS_PER_PERSON_MAX} passkeys. Remove one first.`);
  }

  return {
    async options(tx, person) {
      const party = requireRelyingParty(needs.party);
      await changes.begin(tx, person);
      const user = { id: person.userId, email: person.actor.email };
      return registrationOptions(party, user, await roomFor(tx, person), challenges.make(purposeOf(person)));
    },
    async register(tx, person, { name, credential }) {
      const before = await changes.begin(tx, person);
      const others = await roomFor(tx, person);
      const made = await verified(needs, tx, person, credential);
      const passkey: PasskeyDocument = {
        _id: ids.next('pky'),
        user_id: person.userId,
        name,
        credential_id: made.credentialId,
        public_key: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: credential.response.transports ?? [],
        backed_up: made.backedUp,
        created_at_ms: clock.now(),
        last_used_at_ms: null,
        version: 1,
      };
      await insert(passkeys, tx, passkey);
      await factors.setPasskeys(tx, person.userId, others.length + 1);
      const recoveryCodes = hasSecondFactor(before) ? null : await changes.newRecoveryCodes(tx, person);
      await changes.added(tx, person, before, {
        method: 'passkey',
        passkey: { id: passkey._id, name },
        notice: { type: 'passkey_added', passkey: name },
      });
      return { passkey, recoveryCodes };
    },
  };
}

function purposeOf({ session }: Person) {
  return `registration in ${session.id}` as const;
}

/** Throws 422 unless the credential answers an unused challenge of this session. */
async function verified(
  { challenges, usedChallenges, ...needs }: Needs,
  tx: Transaction,
  person: Person,
  credential: RegistrationCredential,
): Promise<NewPasskey> {
  const party = requireRelyingParty(needs.party);
  const challenge = claimedChallenge(credential.response.clientDataJSON);
  const expiresAtMs = challenge === null ? null : challenges.expiryOf(challenge, purposeOf(person));
  if (challenge === null || expiresAtMs === null) {
    throw invalidField('/credential', 'must answer options of this session that are at most five minutes old');
  }
  const made = await verifyRegistration(credential, { party, challenge });
  if (made === null) throw invalidField('/credential', `is not a new passkey for ${party.origin}`);
  if (!(await usedChallenges.use(tx, challenge, expiresAtMs))) {
    throw invalidField('/credential', 'must answer options that were not used before');
  }
  return made;
}

async function insert(passkeys: PasskeysStore, tx: Transaction, passkey: PasskeyDocument): Promise<void> {
  try {
    await passkeys.insert(tx, passkey);
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError('conflict', 'This passkey is already registered.', { cause: error });
    throw error;
  }
}
