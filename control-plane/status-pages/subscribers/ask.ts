import { makeQuestionToken, questionTokenHash } from '../../recipients/tokens.js';
import type { Transaction } from '../../storage/transaction.js';
import type { StatusPageDocument } from '../documents.js';
import type { SubscriberDocument, SubscriberSettings, SubscriptionQuestion } from './documents.js';
import { QUESTION_VALID_MS } from './limits.js';
import type { SubscriberNeeds } from './needs.js';
import { confirmMail } from './notify/mails.js';

interface Asked {
  page: StatusPageDocument;
  /** In lower case. */
  address: string;
  settings: SubscriberSettings;
  /** The member who adds the address; null for a visitor of the page. */
  createdBy: string | null;
}

/**
 * Writes the mail that asks an address whether it wants the updates of a page, which it gets only after that. Resolves to the
 * subscriber, and to whether it was asked: not while an earlier question is open, not when nothing would change, and not beyond the
 * limits of the day, when an address that is new is null.
 */
export async function askAddress(
  needs: SubscriberNeeds,
  tx: Transaction,
  { page, address, settings, createdBy }: Asked,
): Promise<{ subscriber: SubscriberDocument | null; isAsked: boolean }> {
  const { subscribers, clock, limit } = needs;
  const nowMs = clock.now();
  const known = await subscribers.findReceiver(tx, page, address);
  if (known !== null && !needsQuestion(known, settings, nowMs)) return { subscriber: known, isAsked: false };
  if (!(await limit.question(tx, page, address, nowMs))) return { subscriber: known, isAsked: false };
  const token = makeQuestionToken(needs.random);
  const expires_at_ms = nowMs + QUESTION_VALID_MS;
  const question = { ...settings, token_hash: questionTokenHash(token) ?? '', expires_at_ms };
  const subscriber = known ?? unconfirmed(needs, { page, address, settings, createdBy }, question);
  const expiresAt = subscriber.state === 'confirmed' ? null : new Date(expires_at_ms);
  if (known === null) await subscribers.insert(tx, subscriber);
  else await subscribers.setQuestion(tx, known._id, question, expiresAt);
  await needs.mailer.send(
    tx,
    confirmMail({
      ...{ page, subscriber, token, nowMs, language: settings.language },
      ...{ publicUrl: needs.publicUrl, tokens: needs.tokens },
    }),
  );
  return { subscriber, isAsked: true };
}

/** Pure. */
function needsQuestion({ state, question, ...known }: SubscriberDocument, wanted: SubscriberSettings, nowMs: number) {
  if (question !== null && question.answered !== true && question.expires_at_ms > nowMs) return false;
  if (state === 'unconfirmed') return true;
  const chosen = ({ language, component_ids, access }: SubscriberSettings) =>
    JSON.stringify([language, component_ids === null ? null : [...component_ids].sort(), access]);
  return chosen(known) !== chosen(wanted);
}

function unconfirmed(
  { ids, clock }: SubscriberNeeds,
  { page, address, settings, createdBy }: Asked,
  question: SubscriptionQuestion,
): SubscriberDocument {
  return {
    _id: ids.next('sub'),
    workspace_id: page.workspace_id,
    page_id: page._id,
    type: 'email',
    receiver: address,
    state: 'unconfirmed',
    ...settings,
    question,
    sealed: null,
    created_by: createdBy,
    created_at_ms: clock.now(),
    confirmed_at_ms: null,
    version: 1,
    expires_at: new Date(question.expires_at_ms),
  };
}
