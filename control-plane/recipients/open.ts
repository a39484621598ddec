import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import { canonicalEmail } from '../http/input/email-address.js';
import type { Mailer } from '../mail/mailer.js';
import type { StandingOf } from '../plans/cache.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createAsk } from './ask.js';
import { createRecipientLinks } from './links.js';
import { createRecipientMembersStore } from './members-store.js';
import { createRecipientQuotas } from './quotas/quotas.js';
import { createRecipientQuotasStore } from './quotas/store.js';
import {
  type RecipientLinks,
  type Recipients,
  type SortedAddresses,
  STOP_PATH,
  TOKEN_PARAMETER,
} from './recipients.js';
import { mayGetMails, relationsOf } from './sort.js';
import { createRecipientsStore } from './store.js';
import { createStopTokens } from './tokens.js';

interface RecipientsNeeds {
  db: Db;
  box: Pick<SecretBox, 'fingerprint'>;
  runTransaction: RunTransaction;
  workspaces: Pick<WorkspacesStore, 'findDocument'>;
  /** Resolves to the id of the workspace of the operators; null in an empty database. */
  operatorsWorkspace(): Promise<string | null>;
  mailer: Mailer;
  audit: AuditLog;
  standingOf: StandingOf;
  clock: Clock;
  random: Random;
  /** Without a slash at the end. */
  publicUrl: string;
  smtpUrl: string | null;
}

/** The recipients slice as other slices use it. */
export interface OpenRecipients extends OpenedSlice {
  people: Recipients;
  links: RecipientLinks;
  ensureIndexes(): Promise<void>;
}

function openRecipients(needs: RecipientsNeeds): OpenRecipients {
  const { db, clock, publicUrl } = needs;
  const store = createRecipientsStore(db);
  const quotasStore = createRecipientQuotasStore(db);
  const quotas = createRecipientQuotas({ store: quotasStore, clock });
  const tokens = createStopTokens(needs.box);
  const related = {
    ...{ store, members: createRecipientMembersStore(db), standingOf: needs.standingOf },
    isOperators: async (workspaceId: string) => (await needs.operatorsWorkspace()) === workspaceId,
  };
  const stopUrl = (workspaceId: string, address: string) =>
    `${publicUrl}${STOP_PATH}?${TOKEN_PARAMETER}=${tokens.sign({ workspaceId, address: canonicalEmail(address) })}`;
  const unconfirmed: Recipients['unconfirmed'] = async (workspaceId, addresses, tx) => {
    const relations = await relationsOf(related, workspaceId, addresses, tx);
    return new Set([...relations].flatMap(([address, { relation }]) => (mayGetMails(relation) ? [] : [address])));
  };
  return {
    people: {
      async sort(workspaceId, addresses) {
        const relations = await relationsOf(related, workspaceId, addresses);
        const sorted: SortedAddresses = { members: [], viewers: [], others: [], unconfirmed: [], unasked: [] };
        for (const address of addresses) {
          const relation = relations.get(canonicalEmail(address))?.relation ?? 'new';
          if (relation === 'member') sorted.members.push(address);
          else if (relation === 'viewer') sorted.viewers.push(address);
          else if (mayGetMails(relation)) sorted.others.push({ address, stopUrl: stopUrl(workspaceId, address) });
          else sorted.unconfirmed.push(address);
          if (relation === 'new') sorted.unasked.push(address);
        }
        return sorted;
      },
      unconfirmed,
      ...createAsk({ ...needs, ...related, quotas, stopUrl }),
      leave: (tx, workspaceId, address) => store.leave(tx, workspaceId, canonicalEmail(address), clock.now()),
      countTest: (actor, addresses) => needs.runTransaction((tx) => quotas.countTests(tx, actor, addresses)),
      confirmEarlier: (workspaceId, addresses, tx) =>
        store.confirmUnknown(workspaceId, [...new Set(addresses.map(canonicalEmail))], clock.now(), tx),
    },
    links: createRecipientLinks({ ...needs, store, tokens, unconfirmed }),
    async ensureIndexes() {
      await store.ensureIndexes();
      await quotasStore.ensureIndexes();
    },
  };
}

/** The addresses outside of a workspace that get its mails: each confirms once, and can stop them with one click. */
export const recipientsSlice = {
  name: 'recipients',
  auditActions: ['recipient.asked', 'recipient.confirmed', 'recipient.stopped', 'recipient.resumed'],
  open: openRecipients,
} satisfies Slice<'recipients', RecipientsNeeds, OpenRecipients>;
