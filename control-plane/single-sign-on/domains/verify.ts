import { type Actor, platformActor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { requirePlanFeature } from '../../plans/quota.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { DomainDocument } from '../documents.js';
import { type DomainNeeds, domainEvent } from './change.js';
import { domainName, verificationName, verificationValue } from './domain-name.js';
import { endSessionsOutside } from './end-sessions.js';
import type { TxtLookup } from './txt-lookup.js';

export interface VerifyDomainNeeds extends DomainNeeds {
  lookupTxt: TxtLookup;
  runTransaction: RunTransaction;
}

/**
 * Looks the TXT record up and records what it found: a domain whose record has gone is no longer verified, and the sessions of
 * its people end. Throws 409
 * when the record is missing, when the servers do not answer (then nothing changes), and when another workspace has
 * the domain and its own record is still there.
 */
export async function verifyDomain(needs: VerifyDomainNeeds, actor: Actor, text: string): Promise<DomainDocument> {
  requirePlanFeature(actor.plan, 'singleSignOn', 'Domains for single sign-on');
  const { domains, lookupTxt, runTransaction } = needs;
  const found = await domains.find(actor.workspaceId, domainName(text) ?? '');
  if (found === null) throw notFound('domain');
  const name = verificationName(found.domain);
  const answer = await lookupTxt(name);
  if (answer.kind === 'failed') {
    throw new AppError(
      'conflict',
      `The DNS servers did not answer for ${name} (${answer.error}). Nothing was changed.`,
    );
  }
  const values = answer.kind === 'found' ? answer.values : [];
  const verify = (tx: Transaction) => recordAnswer(needs, tx, actor, found.domain, values);
  const outcome = await runTransaction(verify).catch((error: unknown) => {
    // Another workspace has verified the domain between the check and the write.
    if (isDuplicateKey(error)) return 'taken' as const;
    throw error;
  });
  if (outcome === 'taken') {
    const detail = 'Another workspace has verified this domain. Remove its TXT record first, or ask its owner.';
    throw new AppError('conflict', detail);
  }
  if (outcome.verified_at_ms !== null) return outcome;
  const expected = `${name} with the value ${verificationValue(found.token)}`;
  throw new AppError('conflict', `There is no TXT record ${expected}. New records can take minutes to appear.`);
}

async function recordAnswer(
  needs: VerifyDomainNeeds,
  tx: Transaction,
  actor: Actor,
  domain: string,
  values: readonly string[],
): Promise<DomainDocument | 'taken'> {
  const { domains, audit, clock } = needs;
  const document = await domains.findIn(tx, actor.workspaceId, domain);
  if (document === null) throw notFound('domain');
  const isThere = values.includes(verificationValue(document.token));
  const holder = await domains.verifiedIn(tx, domain);
  const checked = {
    checked_at_ms: clock.now(),
    verified_at_ms: isThere ? (document.verified_at_ms ?? clock.now()) : null,
  };
  if (isThere && holder !== null && holder.workspace_id !== actor.workspaceId) {
    if (values.includes(verificationValue(holder.token))) return 'taken';
    // The domain has another owner now, whose record has replaced that of the previous one.
    await domains.setChecked(tx, holder.workspace_id, domain, { checked_at_ms: clock.now(), verified_at_ms: null });
    const ended = await endSessionsOutside(needs, tx, holder.workspace_id);
    await audit.record(tx, platformActor(holder.workspace_id), domainEvent(domain, 'unverified', ended));
  }
  await domains.setChecked(tx, actor.workspaceId, domain, checked);
  if (isThere !== (document.verified_at_ms !== null)) {
    const ended = isThere ? 0 : await endSessionsOutside(needs, tx, actor.workspaceId);
    await audit.record(tx, actor, domainEvent(domain, isThere ? 'verified' : 'unverified', ended));
  }
  return { ...document, ...checked, version: document.version + 1 };
}
