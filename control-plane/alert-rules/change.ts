import type { Actor } from '../actor.js';
import { AppError, invalidField, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { AlertRuleDocument } from './documents.js';
import type { AlertRuleNeeds } from './needs.js';
import type { AnyRuleSettings } from './rule-type.js';

/** The limit of a workspace. All enabled rules are evaluated for each sample of a server. */
const RULES_MAX = 500;

/** Throws 404, and 412 when the rule is not the version that the client has read. */
export async function loadRule(
  needs: AlertRuleNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<AlertRuleDocument> {
  const rule = await needs.store.find(actor.workspaceId, id, tx);
  if (rule === null) throw notFound('alert rule');
  requireVersion(ifVersion, rule.version);
  return rule;
}

/** Throws 422 when a target or a channel is not of the workspace. `isSent` says which fields the request has. */
export async function checkReferences(
  { types, handlers, referenceLock, channels: directory }: AlertRuleNeeds,
  tx: Transaction,
  actor: Actor,
  settings: AnyRuleSettings,
  isSent: (field: string) => boolean = () => true,
): Promise<void> {
  const { type, channels } = settings;
  const fields = types.find(type)?.targets ?? {};
  const sent = Object.keys(fields).filter(isSent);
  const named = sent.filter((field) => fields[field]?.refersTo !== undefined).flatMap((field) => settings[field] ?? []);
  await referenceLock.refer(tx, named.map(String));
  const targets = Object.fromEntries(sent.map((field) => [field, settings[field]]));
  if (sent.length > 0) await handlers.of(type).checkTargets(tx, actor.workspaceId, targets);
  if (!isSent('channels') || channels === null || channels.length === 0) return;
  const [unknown] = await directory.unknown(tx, actor.workspaceId, channels);
  if (unknown !== undefined) {
    throw invalidField(
      `/channels/${channels.indexOf(unknown)}`,
      'must be a channel of this workspace',
      'unknown_channel',
    );
  }
}

/** Throws 409 when the workspace has no room for another rule. Call it after `announceChange`, which makes the count exact. */
export async function refuseTooMany({ store }: AlertRuleNeeds, tx: Transaction, workspaceId: string): Promise<void> {
  const present = await store.count(tx, workspaceId, RULES_MAX + 1);
  if (present < RULES_MAX) return;
  throw new AppError('conflict', `A workspace can have ${RULES_MAX} alert rules; this one has no room for another.`);
}

/** Notes the change for all control planes. This one reads the rules again as soon as the change is committed. */
export async function announceChange(
  { store, cache }: Pick<AlertRuleNeeds, 'store' | 'cache'>,
  tx: Transaction,
  workspaceId: string,
): Promise<void> {
  await store.noteChange(tx, workspaceId);
  tx.afterCommit(() => cache.invalidate(workspaceId));
}
