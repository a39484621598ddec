import { SECRET_BYTES, webhookSecret } from '../../../kernel/webhook-signature.js';
import type { Actor } from '../../actor.js';
import { AppError, invalidField } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ForwarderDocument } from './documents.js';
import type { CreateForwarder } from './schema.js';
import { sealSecrets } from './secrets.js';
import { parseTarget, shownTarget, targetRefusal } from './target.js';
import { checkCa, cursorFrom, type ForwarderVerbDeps, requireForwarding, severitiesOf } from './verb.js';

const FORWARDERS_PER_WORKSPACE_MAX = 10;

/** Stores a forwarder that begins with what happens from now on, or at `from`. */
export async function createForwarder(
  deps: ForwarderVerbDeps,
  tx: Transaction,
  actor: Actor,
  input: CreateForwarder,
): Promise<{ forwarder: ForwarderDocument; secret: string | null }> {
  requireForwarding(actor);
  const refusal = targetRefusal(input.target, input.type, deps.guard);
  if (refusal !== null) throw invalidField('/target', refusal);
  const auth = input.auth ?? null;
  if (auth !== null && input.type !== 'webhook')
    throw invalidField('/auth', 'is for webhooks; syslog has no place for it');
  if (typeof input.ca === 'string') checkCa(input.ca);
  if ((await deps.store.count(tx, actor.workspaceId)) >= FORWARDERS_PER_WORKSPACE_MAX) {
    throw new AppError('conflict', `A workspace has at most ${FORWARDERS_PER_WORKSPACE_MAX} forwarders.`);
  }
  const begin =
    input.from === undefined
      ? { id: await deps.entries.headIn(tx, actor.workspaceId), at_ms: null }
      : cursorFrom(input.from, deps);
  const secret = input.type === 'webhook' ? webhookSecret(deps.random.bytes(SECRET_BYTES)) : null;
  const nowMs = deps.clock.now();
  const forwarder: ForwarderDocument = {
    _id: deps.ids.next('fwd'),
    workspace_id: actor.workspaceId,
    type: input.type,
    name: input.name ?? hostOf(input.target),
    target: input.target,
    format: input.format ?? 'json',
    severities: severitiesOf(input.filter),
    ca: input.ca ?? null,
    sealed: sealSecrets({ auth, signingSecret: secret }, deps.box),
    auth_set: auth !== null,
    paused_at_ms: input.paused === true ? nowMs : null,
    cursor: { ...begin, sequence: 0, fence: 0 },
    failures: 0,
    failing_since_ms: null,
    next_attempt_ms: 0,
    last_error: null,
    last_error_at_ms: null,
    last_success_at_ms: null,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await deps.store.insert(tx, forwarder);
  await deps.audit.record(tx, actor, {
    action: 'forwarder.created',
    resource: { type: 'forwarder', id: forwarder._id, name: forwarder.name },
    metadata: { forwarder_type: forwarder.type, target: shownTarget(forwarder.target), format: forwarder.format },
  });
  return { forwarder, secret };
}

function hostOf(text: string): string {
  const target = parseTarget(text);
  if (target === null) return text;
  return target.type === 'webhook' ? new URL(target.url).hostname : target.host;
}
