import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { countedMailbox } from '../../mail/mailbox.js';
import type { Transaction } from '../../storage/transaction.js';
import {
  INVITATIONS_PER_ADDRESS_PER_DAY_MAX,
  INVITATIONS_PER_PERSON_PER_DAY_MAX,
  INVITATIONS_PER_WORKSPACE_PER_DAY_MAX,
  QUESTIONS_PER_ADDRESS_PER_DAY_MAX,
  QUESTIONS_PER_PERSON_PER_DAY_MAX,
  QUESTIONS_PER_WORKSPACE_PER_DAY_MAX,
  TEST_MAILS_PER_ADDRESS_PER_DAY_MAX,
  TEST_MAILS_PER_PERSON_PER_DAY_MAX,
  TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX,
} from '../limits.js';
import type { QuotaSubject, RecipientQuotasStore } from './store.js';

const DAY_MS = 86_400_000;

/** The quotas of mails that people cause at once, by day (UTC). */
export interface RecipientQuotas {
  /** Resolves to those of the addresses that can be asked today, in their order, with nobody above a quota. */
  askable(tx: Transaction, actor: Actor, addresses: readonly string[]): Promise<string[]>;
  /** Counts one question to each address. Throws `rate_limited` when one of the quotas is used up. */
  countQuestions(tx: Transaction, actor: Actor, addresses: readonly string[]): Promise<void>;
  /** Counts an invitation by e-mail. Throws `rate_limited` when one of the quotas is used up. */
  countInvitation(tx: Transaction, actor: Actor, address: string): Promise<void>;
  /** Counts one test mail to each address. Throws `rate_limited` when one of the quotas is used up. */
  countTests(tx: Transaction, actor: Actor, addresses: readonly string[]): Promise<void>;
}

interface Limits {
  kind: QuotaSubject['kind'];
  /** What the mails are called in an error. */
  words: string;
  address: number;
  person: number;
  workspace: number;
}

const QUESTIONS: Limits = {
  kind: 'question',
  words: 'e-mails that ask for a confirmation',
  address: QUESTIONS_PER_ADDRESS_PER_DAY_MAX,
  person: QUESTIONS_PER_PERSON_PER_DAY_MAX,
  workspace: QUESTIONS_PER_WORKSPACE_PER_DAY_MAX,
};

const TESTS: Limits = {
  kind: 'test',
  words: 'test e-mails',
  address: TEST_MAILS_PER_ADDRESS_PER_DAY_MAX,
  person: TEST_MAILS_PER_PERSON_PER_DAY_MAX,
  workspace: TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX,
};

const INVITATIONS: Limits = {
  kind: 'invitation',
  words: 'invitations',
  address: INVITATIONS_PER_ADDRESS_PER_DAY_MAX,
  person: INVITATIONS_PER_PERSON_PER_DAY_MAX,
  workspace: INVITATIONS_PER_WORKSPACE_PER_DAY_MAX,
};

export function createRecipientQuotas({
  store,
  clock,
}: {
  store: RecipientQuotasStore;
  clock: Clock;
}): RecipientQuotas {
  async function count(limits: Limits, tx: Transaction, actor: Actor, addresses: readonly string[]): Promise<void> {
    const nowMs = clock.now();
    const { kind, words } = limits;
    const add = async (of: 'person' | 'workspace' | 'address', id: string, mails: number, who: string) => {
      if ((await store.add(tx, { kind, of, id }, nowMs, mails)) > limits[of])
        throw used(`${who} at most ${limits[of]} ${words} a day.`, nowMs);
    };
    if (actor.userId !== null) await add('person', actor.userId, addresses.length, 'A person can send');
    await add('workspace', actor.workspaceId, addresses.length, 'A workspace can send');
    // In one order, so that two transactions with the same addresses wait for each other and do not conflict again and again.
    for (const address of [...addresses].sort()) {
      await add('address', countedMailbox(address), 1, `${address} can get`);
    }
  }
  async function askable(tx: Transaction, actor: Actor, addresses: readonly string[]): Promise<string[]> {
    const nowMs = clock.now();
    const { kind } = QUESTIONS;
    const left = async (of: 'person' | 'workspace' | 'address', id: string) =>
      QUESTIONS[of] - (await store.used(tx, { kind, of, id }, nowMs));
    const ofPerson = actor.userId === null ? Number.POSITIVE_INFINITY : await left('person', actor.userId);
    const ofAll = Math.min(ofPerson, await left('workspace', actor.workspaceId));
    const ofMailboxes = new Map<string, number>();
    const chosen: string[] = [];
    for (const address of addresses) {
      if (chosen.length >= ofAll) break;
      const mailbox = countedMailbox(address);
      const ofMailbox = ofMailboxes.get(mailbox) ?? (await left('address', mailbox));
      ofMailboxes.set(mailbox, ofMailbox - 1);
      if (ofMailbox > 0) chosen.push(address);
    }
    return chosen;
  }
  return {
    askable,
    countQuestions: (tx, actor, addresses) => count(QUESTIONS, tx, actor, addresses),
    countInvitation: (tx, actor, address) => count(INVITATIONS, tx, actor, [address]),
    countTests: (tx, actor, addresses) => count(TESTS, tx, actor, addresses),
  };
}

function used(rule: string, nowMs: number): AppError {
  const waitS = Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1_000);
  return new AppError('rate_limited', `${rule} The next day (UTC) begins in ${waitS} s.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}
