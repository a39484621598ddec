import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { countedMailbox } from '../../mail/mailbox.js';
import { hasPlace, type MailboxLimits } from '../../mail/place-for-sender.js';
import type { Transaction } from '../../storage/transaction.js';
import {
  ADDRESS_CHANGES_PER_ADDRESS_OF_ALL_PER_DAY_MAX,
  ADDRESS_CHANGES_PER_ADDRESS_PER_DAY_MAX,
  ADDRESS_CHANGES_PER_PERSON_PER_DAY_MAX,
  ADDRESS_CHANGES_UNCONFIRMED_PER_DAY_MAX,
  INVITATIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX,
  INVITATIONS_PER_ADDRESS_PER_DAY_MAX,
  INVITATIONS_PER_PERSON_PER_DAY_MAX,
  INVITATIONS_PER_WORKSPACE_PER_DAY_MAX,
  QUESTIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX,
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
  /**
   * Counts an e-mail to the new address of an account, of which few can be sent while the present one is not confirmed. Throws
   * `rate_limited` when one of the quotas is used up.
   */
  countAddressChange(tx: Transaction, actor: Actor, to: { address: string; isConfirmed: boolean }): Promise<void>;
}

interface Limits {
  kind: QuotaSubject['kind'];
  /** What the mails are called in an error. */
  words: string;
  address: MailboxLimits;
  person: number;
  /** Null for mails about an account, which are not of a workspace. */
  workspace: number | null;
}

const QUESTIONS: Limits = {
  kind: 'question',
  words: 'e-mails that ask for a confirmation',
  address: { ofOne: QUESTIONS_PER_ADDRESS_PER_DAY_MAX, ofAll: QUESTIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX },
  person: QUESTIONS_PER_PERSON_PER_DAY_MAX,
  workspace: QUESTIONS_PER_WORKSPACE_PER_DAY_MAX,
};

const TESTS: Limits = {
  kind: 'test',
  words: 'test e-mails',
  // Without a share: only those get test mails who want the mails of the workspace.
  address: { ofOne: TEST_MAILS_PER_ADDRESS_PER_DAY_MAX, ofAll: TEST_MAILS_PER_ADDRESS_PER_DAY_MAX },
  person: TEST_MAILS_PER_PERSON_PER_DAY_MAX,
  workspace: TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX,
};

const INVITATIONS: Limits = {
  kind: 'invitation',
  words: 'invitations',
  address: { ofOne: INVITATIONS_PER_ADDRESS_PER_DAY_MAX, ofAll: INVITATIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX },
  person: INVITATIONS_PER_PERSON_PER_DAY_MAX,
  workspace: INVITATIONS_PER_WORKSPACE_PER_DAY_MAX,
};

const ADDRESS_CHANGES: Limits = {
  kind: 'address_change',
  words: 'e-mails about a new address',
  address: {
    ofOne: ADDRESS_CHANGES_PER_ADDRESS_PER_DAY_MAX,
    ofAll: ADDRESS_CHANGES_PER_ADDRESS_OF_ALL_PER_DAY_MAX,
  },
  person: ADDRESS_CHANGES_PER_PERSON_PER_DAY_MAX,
  workspace: null,
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
    const { kind, words, person, workspace } = limits;
    const add = async (of: 'person' | 'workspace', id: string, max: number) => {
      if ((await store.add(tx, { kind, of, id }, nowMs, addresses.length)) > max)
        throw used(`A ${of} can send at most ${max} ${words} a day.`, nowMs);
    };
    if (actor.userId !== null) await add('person', actor.userId, person);
    if (workspace !== null) await add('workspace', actor.workspaceId, workspace);
    // In one order, so that two transactions with the same addresses wait for each other and do not conflict again and again.
    for (const address of [...addresses].sort()) {
      const { ofOne, ofAll } = subjectsOf(kind, actor, countedMailbox(address));
      const before = {
        ofOne: (await store.add(tx, ofOne, nowMs, 1)) - 1,
        ofAll: (await store.add(tx, ofAll, nowMs, 1)) - 1,
      };
      if (hasPlace(before, limits.address)) continue;
      const isShareUsed = before.ofOne >= limits.address.ofOne && limits.address.ofOne < limits.address.ofAll;
      const rule = isShareUsed ? `${limits.address.ofOne} ${words} of one person` : `${limits.address.ofAll} ${words}`;
      throw used(`${address} can get at most ${rule} a day.`, nowMs);
    }
  }
  async function askable(tx: Transaction, actor: Actor, addresses: readonly string[]): Promise<string[]> {
    const nowMs = clock.now();
    const { kind } = QUESTIONS;
    const left = async (of: 'person' | 'workspace', id: string, max: number) =>
      max - (await store.used(tx, { kind, of, id }, nowMs));
    const ofPerson =
      actor.userId === null
        ? Number.POSITIVE_INFINITY
        : await left('person', actor.userId, QUESTIONS_PER_PERSON_PER_DAY_MAX);
    const atMost = Math.min(ofPerson, await left('workspace', actor.workspaceId, QUESTIONS_PER_WORKSPACE_PER_DAY_MAX));
    const ofMailboxes = new Map<string, MailboxLimits>();
    const chosen: string[] = [];
    for (const address of addresses) {
      if (chosen.length >= atMost) break;
      const mailbox = countedMailbox(address);
      const sent = ofMailboxes.get(mailbox) ?? (await sentTo(tx, actor, mailbox));
      const fits = hasPlace(sent, QUESTIONS.address);
      if (fits) chosen.push(address);
      ofMailboxes.set(mailbox, fits ? { ofOne: sent.ofOne + 1, ofAll: sent.ofAll + 1 } : sent);
    }
    return chosen;
  }
  async function sentTo(tx: Transaction, actor: Actor, mailbox: string): Promise<MailboxLimits> {
    const nowMs = clock.now();
    const { ofOne, ofAll } = subjectsOf(QUESTIONS.kind, actor, mailbox);
    return { ofOne: await store.used(tx, ofOne, nowMs), ofAll: await store.used(tx, ofAll, nowMs) };
  }
  return {
    askable,
    countQuestions: (tx, actor, addresses) => count(QUESTIONS, tx, actor, addresses),
    countInvitation: (tx, actor, address) => count(INVITATIONS, tx, actor, [address]),
    countTests: (tx, actor, addresses) => count(TESTS, tx, actor, addresses),
    countAddressChange: (tx, actor, { address, isConfirmed }) => {
      const person = isConfirmed ? ADDRESS_CHANGES.person : ADDRESS_CHANGES_UNCONFIRMED_PER_DAY_MAX;
      return count({ ...ADDRESS_CHANGES, person }, tx, actor, [address]);
    },
  };
}

/** A person has one share in all of their workspaces; Picket itself sends for a workspace. */
function subjectsOf(kind: Limits['kind'], { userId, workspaceId }: Actor, mailbox: string) {
  const ofOne: QuotaSubject = { kind, of: 'sender', id: `${userId ?? workspaceId}/${mailbox}` };
  const ofAll: QuotaSubject = { kind, of: 'address', id: mailbox };
  return { ofOne, ofAll };
}

function used(rule: string, nowMs: number): AppError {
  const waitS = Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1_000);
  return new AppError('rate_limited', `${rule} The next day (UTC) begins in ${waitS} s.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}
