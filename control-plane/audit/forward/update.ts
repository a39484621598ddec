import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { AuditAction } from '../actions.js';
import type { ForwarderDocument } from './documents.js';
import type { UpdateForwarder } from './schema.js';
import { openSecrets, sealSecrets } from './secrets.js';
import type { ForwarderChange } from './store.js';
import { shownTarget, targetRefusal } from './target.js';
import { checkCa, cursorFrom, type ForwarderVerbDeps, requireForwarding, severitiesOf } from './verb.js';

/**
 * Changes what was named, also pauses, resumes and moves the cursor. One entry for it all: `forwarder.paused` or
 * `forwarder.resumed` when it is that alone.
 */
export async function updateForwarder(
  deps: ForwarderVerbDeps,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; input: UpdateForwarder },
): Promise<ForwarderDocument> {
  requireForwarding(actor);
  const before = await deps.store.findIn(tx, actor.workspaceId, request.id);
  if (before === null) throw notFound('forwarder');
  requireVersion(request.ifVersion, before.version);
  const { change, changes } = differences(deps, before, request.input);
  const changed = Object.keys(changes);
  if (changed.length === 0) return before;
  const after = await deps.store.update(tx, actor.workspaceId, before._id, before.version, change, deps.clock.now());
  if (after === null) throw stale();
  const isPauseAlone = changed.length === 1 && changed[0] === 'paused';
  const verb = !isPauseAlone ? 'updated' : after.paused_at_ms === null ? 'resumed' : 'paused';
  const action: AuditAction = `forwarder.${verb}`;
  await deps.audit.record(tx, actor, {
    action,
    resource: { type: 'forwarder', id: after._id, name: after.name },
    ...(isPauseAlone ? {} : { metadata: { changes } }),
  });
  return after;
}

type Changes = Record<string, { from: unknown; to: unknown }>;

/** What a request changes, and how the audit log tells it: without a secret. */
function differences(
  deps: ForwarderVerbDeps,
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
    const refusal = targetRefusal(target, before.type, deps.guard);
    if (refusal !== null) throw invalidField('/target', refusal);
    change.target = target;
    changes['target'] = { from: shownTarget(before.target), to: shownTarget(target) };
  }
  if (format !== undefined && format !== before.format) {
    change.format = format;
    changes['format'] = { from: before.format, to: format };
  }
  if (ca !== undefined && ca !== before.ca) {
    if (ca !== null) checkCa(ca);
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
    change.paused_at_ms = paused ? deps.clock.now() : null;
    changes['paused'] = { from: !paused, to: paused };
  }
  if (from !== undefined) {
    change.cursor = { ...before.cursor, ...cursorFrom(from, deps) };
    changes['cursor'] = { from: before.cursor.id, to: change.cursor.id };
  }
  if (input.auth !== undefined) changeAuth(deps, before, input.auth, change, changes);
  return { change, changes };
}

function changeAuth(
  deps: ForwarderVerbDeps,
  before: ForwarderDocument,
  auth: string | null,
  change: ForwarderChange,
  changes: Changes,
): void {
  if (auth !== null && before.type !== 'webhook')
    throw invalidField('/auth', 'is for webhooks; syslog has no place for it');
  const secrets = openSecrets(before.sealed, deps.box);
  if (auth === secrets.auth) return;
  change.sealed = sealSecrets({ ...secrets, auth }, deps.box);
  change.auth_set = auth !== null;
  changes['auth'] = { from: secrets.auth === null ? null : '[secret]', to: auth === null ? null : '[secret]' };
}

function stale(): AppError {
  return new AppError('precondition_failed', 'The forwarder was changed since it was read.');
}
