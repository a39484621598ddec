import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import { canonicalEmail } from '../http/input/email-address.js';
import { confirmRecipientMail } from '../mail/contents/confirm-recipient.js';
import type { Mailer } from '../mail/mailer.js';
import type { Transaction } from '../storage/transaction.js';
import type { RecipientQuotas } from './quotas/quotas.js';
import { CONFIRM_PATH, type Recipients, TOKEN_PARAMETER } from './recipients.js';
import { mayGetMails, type Related, type RelationNeeds, relationsOf } from './sort.js';
import type { RecipientsStore } from './store.js';
import { makeQuestionToken, questionTokenHash } from './tokens.js';

export interface AskNeeds extends RelationNeeds {
  store: RecipientsStore;
  quotas: RecipientQuotas;
  mailer: Mailer;
  audit: AuditLog;
  clock: Clock;
  random: Random;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Null without a mail server: then nothing is asked. */
  smtpUrl: string | null;
  stopUrl(workspaceId: string, address: string): string;
}

/** How long the link of a question works. Meanwhile, no change of a channel asks again. */
const QUESTION_VALID_MS = 7 * 86_400_000;

export function createAsk(needs: AskNeeds): Pick<Recipients, 'ask' | 'askAgain'> {
  return {
    async ask(tx, actor, { added, kept, mails }) {
      const { workspaceId } = actor;
      const nowMs = needs.clock.now();
      if ((await obstacle(needs, workspaceId)) !== null) return [];
      const relations = [...(await relationsOf(needs, workspaceId, [...added, ...kept], tx))];
      const fresh = new Set(added.map(canonicalEmail));
      const wanted = relations.filter(
        ([address, related]) => related.relation === 'new' || (fresh.has(address) && needsAnother(related, nowMs)),
      );
      const all = wanted.map(([address]) => address);
      // The channel can be saved without a question: the answer says which address was not asked.
      const open = await needs.quotas.askable(tx, actor, all);
      await askAll(needs, tx, actor, open, mails);
      return all.filter((address) => !open.includes(address));
    },
    async askAgain(tx, actor, sent) {
      const address = canonicalEmail(sent);
      const reason = await obstacle(needs, actor.workspaceId);
      if (reason !== null) throw new AppError('conflict', reason);
      const relation = (await relationsOf(needs, actor.workspaceId, [address], tx)).get(address)?.relation;
      if (relation !== undefined && mayGetMails(relation))
        throw new AppError('conflict', `${address} gets the e-mails of this workspace already.`);
      if (relation === 'stopped') {
        const way = 'Its owner can resume them with the link at the end of any earlier e-mail.';
        throw new AppError('conflict', `${address} has stopped the e-mails of this workspace. ${way}`);
      }
      await askAll(needs, tx, actor, [address]);
    },
  };
}

/** Returns why nobody can be asked in the workspace; null if addresses can be asked. */
async function obstacle({ smtpUrl, standingOf }: AskNeeds, workspaceId: string): Promise<string | null> {
  if (smtpUrl === null) return 'No mail server is configured (PICKET_SMTP_URL), so nobody can be asked.';
  const standing = await standingOf(workspaceId);
  if (standing === null || standing.stopped) return 'This workspace is stopped, so it cannot ask anybody.';
  // Nobody may make Picket write to strangers with an account that belongs to nobody.
  return standing.onlyTo === null ? null : 'Confirm your e-mail address first. Then you can ask other people.';
}

/** Returns whether an address needs a question that only a person asks who wants it in a channel. */
function needsAnother({ relation, document }: Related, nowMs: number): boolean {
  // Picket itself must not offer a former member their alerts again, which nobody of the workspace may want.
  if (relation === 'left') return true;
  return relation === 'asked' && (document?.question?.expires_at_ms ?? 0) <= nowMs;
}

async function askAll(
  needs: AskNeeds,
  tx: Transaction,
  actor: Actor,
  addresses: readonly string[],
  mails: 'alerts' | 'reports' = 'alerts',
): Promise<void> {
  if (addresses.length === 0) return;
  const { store, mailer, audit, clock, publicUrl } = needs;
  const { workspaceId, workspaceName } = actor;
  // Picket itself asks on behalf of whoever has entered the address.
  const askedBy = actor.kind === 'system' ? workspaceName : actor.email;
  await needs.quotas.countQuestions(tx, actor, addresses);
  const nowMs = clock.now();
  const expiresAtMs = nowMs + QUESTION_VALID_MS;
  for (const to of addresses) {
    const token = makeQuestionToken(needs.random);
    const question = {
      ...{ token_hash: questionTokenHash(token) ?? '', asked_at_ms: nowMs },
      ...{ expires_at_ms: expiresAtMs, asked_by: askedBy },
    };
    await store.setQuestion(tx, workspaceId, to, question);
    const link = `${publicUrl}${CONFIRM_PATH}?${TOKEN_PARAMETER}=${token}`;
    const stopUrl = needs.stopUrl(workspaceId, to);
    await mailer.send(tx, {
      ...confirmRecipientMail({ to, workspace: workspaceName, askedBy, link, stopUrl, expiresAtMs, mails }),
      workspaceId,
    });
    await audit.record(tx, actor, {
      action: 'recipient.asked',
      resource: { type: 'recipient', id: to, name: to },
    });
  }
}
