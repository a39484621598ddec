import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { AuditAction } from '../audit.js';
import type { ForwarderDocument } from './documents.js';
import { cursorFrom, requireForwarding, severitiesOf, validateCa } from './input.js';
import type { ForwarderNeeds } from './needs.js';
import type { UpdateForwarder } from './schema.js';
import { openSecrets, sealSecrets } from './secrets.js';
import type { ForwarderChange } from './store.js';
import { shownTarget, targetRefusal } from './target.js';

/**
 * Updates the given fields, which can also pause, resume or rewind the forwarder. Writes one audit entry:
 * `forwarder.paused` or `forwarder.resumed` if nothing else changed.
 */
export async function updateForwarder(
  needs: ForwarderNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; input: UpdateForwarder },
): Promise<ForwarderDocument> {
  requireForwarding(actor);
  const before = await needs.store.findIn(tx, actor.workspaceId, request.id);
  if (before === null) throw notFound('forwarder');
  requireVersion(request.ifVersion, before.version);
  const { change, changes } = differences(needs, before, request.input);
  const changed = Object.keys(changes);
  if (changed.length === 0) return before;
  const after = await needs.store.update(tx, actor.workspaceId, before._id, before.version, change, needs.clock.now());
  if (after === null) throw changedSinceRead();
  const isPauseAlone = changed.length === 1 && changed[0] === 'paused';
  const verb = !isPauseAlone ? 'updated' : after.paused_at_ms === null ? 'resumed' : 'paused';
  const action: AuditAction = `forwarder.${verb}`;
  await needs.audit.record(tx, actor, {
    action,
    resource: { type: 'forwarder', id: after._id, name: after.name },
    ...(isPauseAlone ? {} : { metadata: { changes } }),
  });
  return after;
}

type Changes = Record<string, { from: unknown; to: unknown }>;

/** Returns what a request changes, and the same for the audit log, without secrets. */
function differences(
  needs: ForwarderNeeds,
  before: ForwarderDocument,
  input: UpdateForwarder,
): { change: ForwarderChange; changes: Changes } {
  const change: ForwarderChange = {};
  const changes: Changes = {};
  const { name, target, format, ca, filter, paused, from } = input;
  if (name !== undefined && name !== before.name) {
    change.name = name;
    changes['name'] = { from: before.name, to: name };
  }
  if (target !== undefined && target !== before.target) {
    const refusal = targetRefusal(target, before.type, needs.guard);
    if (refusal !== null) throw invalidField('/target', refusal);
    change.target = target;
    changes['target'] = { from: shownTarget(before.target), to: shownTarget(target) };
  }
  if (format !== undefined && format !== before.format) {
    change.format = format;
    changes['format'] = { from: before.format, to: format };
  }
  if (ca !== undefined && ca !== before.ca) {
    if (ca !== null) validateCa(ca);
    change.ca = ca;
    changes['ca'] = { from: before.ca === null ? null : '[certificate]', to: ca === null ? null : '[certificate]' };
  }
  if (filter !== undefined) {
    const severities = severitiesOf(filter);
    if (JSON.stringify(severities) !== JSON.stringify(before.severities)) {
      change.severities = severities;
      changes['filter.severity'] = { from: before.severities, to: severities };
    }
  }
  if (paused !== undefined && paused !== (before.paused_at_ms !== null)) {
    change.paused_at_ms = paused ? needs.clock.now() : null;
    changes['paused'] = { from: !paused, to: paused };
  }
  if (from !== undefined) {
    change.cursor = { ...before.cursor, ...cursorFrom(from, needs.clock) };
    changes['cursor'] = { from: before.cursor.id, to: change.cursor.id };
  }
  if (input.auth !== undefined) changeAuth(needs, before, input.auth, change, changes);
  return { change, changes };
}

function changeAuth(
  needs: ForwarderNeeds,
  before: ForwarderDocument,
  auth: string | null,
  change: ForwarderChange,
  changes: Changes,
): void {
  if (auth !== null && before.type !== 'webhook') throw invalidField('/auth', 'is only for webhooks');
  const secrets = openSecrets(before, needs.box);
  if (auth === secrets.auth) return;
  change.sealed = sealSecrets({ ...secrets, auth }, needs.box, before._id);
  change.auth_set = auth !== null;
  changes['auth'] = { from: secrets.auth === null ? null : '[secret]', to: auth === null ? null : '[secret]' };
}

function changedSinceRead(): AppError {
  return new AppError('precondition_failed', 'The forwarder was changed since it was read.');
}
