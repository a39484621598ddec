import { SECRET_BYTES, webhookSecret } from '../../../kernel/webhook-signature.js';
import type { Actor } from '../../actor.js';
import { AppError, invalidField } from '../../errors.js';
import { refuseKeyWithExpiry } from '../../http/access.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ForwarderDocument } from './documents.js';
import { cursorFrom, requireForwarding, severitiesOf, validateCa } from './input.js';
import type { ForwarderNeeds } from './needs.js';
import type { CreateForwarder } from './schema.js';
import { sealSecrets } from './secrets.js';
import { checkTarget, type ForwardTarget, shownTarget } from './target.js';

const FORWARDERS_PER_WORKSPACE_MAX = 10;

/** Creates a forwarder that starts with new entries, or at `from`. */
export async function createForwarder(
  needs: ForwarderNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateForwarder,
): Promise<{ forwarder: ForwarderDocument; secret: string | null }> {
  requireForwarding(actor);
  refuseKeyWithExpiry(actor, 'create a forwarder');
  const { target, refusal } = checkTarget(input.target, input.type ?? null, needs.guard);
  if (target === null) throw invalidField('/target', refusal.message, refusal.code);
  const { type } = target;
  const auth = input.auth ?? null;
  if (auth !== null && type !== 'webhook') throw invalidField('/auth', 'is only for webhooks');
  if (typeof input.ca === 'string') validateCa(input.ca);
  const present = await needs.store.lockAndCount(tx, actor.workspaceId, FORWARDERS_PER_WORKSPACE_MAX);
  if (present >= FORWARDERS_PER_WORKSPACE_MAX) {
    throw new AppError('conflict', `A workspace has at most ${FORWARDERS_PER_WORKSPACE_MAX} forwarders.`);
  }
  const start =
    input.from === undefined
      ? { id: await needs.entries.headIn(tx, actor.workspaceId), at_ms: null }
      : cursorFrom(input.from, needs.clock);
  const secret = type === 'webhook' ? webhookSecret(needs.random.bytes(SECRET_BYTES)) : null;
  const nowMs = needs.clock.now();
  const id = needs.ids.next('fwd');
  const forwarder: ForwarderDocument = {
    _id: id,
    workspace_id: actor.workspaceId,
    type,
    name: input.name ?? hostOf(target),
    target: input.target,
    format: input.format ?? 'json',
    severities: severitiesOf(input.filter),
    ca: input.ca ?? null,
    sealed: sealSecrets({ auth, signingSecret: secret }, needs.box, id),
    auth_set: auth !== null,
    paused_at_ms: input.paused === true ? nowMs : null,
    cursor: { ...start, sequence: 0, fence: 0 },
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
  await needs.store.insert(tx, forwarder);
  await needs.audit.record(tx, actor, {
    action: 'integration.connected',
    resource: { type: 'forwarder', id: forwarder._id, name: forwarder.name },
    metadata: { forwarder_type: forwarder.type, target: shownTarget(forwarder.target), format: forwarder.format },
  });
  return { forwarder, secret };
}

function hostOf(target: ForwardTarget): string {
  return target.type === 'webhook' ? new URL(target.url).hostname : target.host;
}
