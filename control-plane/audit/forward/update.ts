import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { refuseKeyWithExpiry } from '../../http/access.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { AuditEvent } from '../audit.js';
import type { ForwarderDocument } from './documents.js';
import { cursorFrom, requireForwarding, severitiesOf, validateCa } from './input.js';
import type { ForwarderNeeds } from './needs.js';
import type { UpdateForwarder } from './schema.js';
import { openSecrets, sealSecrets } from './secrets.js';
import type { ForwarderChange } from './store.js';
import { checkTarget, shownTarget } from './target.js';

/**
 * Updates the given fields, which can also pause, resume or rewind the forwarder. Changed settings are one audit entry,
 * `forwarder.paused` or `forwarder.resumed` if nothing else changed. A new `auth` is an entry of its own.
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
  const { change, changes, isRotated } = differences(needs, before, request.input);
  if (Object.keys(change).length === 0) return before;
  if ('target' in changes) refuseKeyWithExpiry(actor, 'change the target of a forwarder');
  const after = await needs.store.update(tx, actor.workspaceId, before._id, before.version, change, needs.clock.now());
  if (after === null) throw changedSinceRead();
  const resource = { type: 'forwarder', id: after._id, name: after.name };
  if (Object.keys(changes).length > 0) await needs.audit.record(tx, actor, { resource, ...settingsEvent(changes) });
  if (isRotated) {
    const metadata = { forwarder_type: after.type, fields: ['auth'] };
    await needs.audit.record(tx, actor, { action: 'integration.credential_rotated', resource, metadata });
  }
  return after;
}

type Changes = Record<string, { from: unknown; to: unknown }>;

function settingsEvent(changes: Changes): Omit<AuditEvent, 'resource'> {
  const { paused, ...others } = changes;
  if (paused === undefined || Object.keys(others).length > 0) {
    return { action: 'forwarder.updated', metadata: { changes } };
  }
  return { action: paused.to === true ? 'forwarder.paused' : 'forwarder.resumed' };
}

/**
 * Returns what a request changes, and the changes for the audit log, without secrets. `isRotated`: the request sets a
 * new `auth`, which is not in `changes`.
 */
function differences(
  needs: ForwarderNeeds,
  before: ForwarderDocument,
  input: UpdateForwarder,
): { change: ForwarderChange; changes: Changes; isRotated: boolean } {
  const change: ForwarderChange = {};
  const changes: Changes = {};
  const { name, target, format, ca, filter, paused, from } = input;
  if (name !== undefined && name !== before.name) {
    change.name = name;
    changes['name'] = { from: before.name, to: name };
  }
  if (target !== undefined && target !== before.target) {
    const { refusal } = checkTarget(target, before.type, needs.guard);
    if (refusal !== null) throw invalidField('/target', refusal.message, refusal.code);
    requireAuthAgain(before, target, input.auth);
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
  Object.assign(change, authChange(needs, before, input.auth));
  if (change.auth_set === false) changes['auth'] = { from: '[secret]', to: null };
  return { change, changes, isRotated: change.auth_set === true };
}

/**
 * Throws 422 if the stored `auth` would be sent to another origin: permission to change a forwarder does not
 * include reading its secret. Only webhooks have one.
 */
function requireAuthAgain(before: ForwarderDocument, target: string, auth: string | null | undefined): void {
  if (!before.auth_set || auth !== undefined || new URL(before.target).origin === new URL(target).origin) return;
  throw invalidField('/auth', 'must be sent again, because target has another origin', 'send_again');
}

function authChange(
  needs: ForwarderNeeds,
  before: ForwarderDocument,
  auth: string | null | undefined,
): Pick<ForwarderChange, 'sealed' | 'auth_set'> {
  if (auth === undefined) return {};
  if (auth !== null && before.type !== 'webhook') throw invalidField('/auth', 'is only for webhooks');
  const secrets = openSecrets(before, needs.box);
  if (auth === secrets.auth) return {};
  return { sealed: sealSecrets({ ...secrets, auth }, needs.box, before._id), auth_set: auth !== null };
}

function changedSinceRead(): AppError {
  return new AppError('precondition_failed', 'The forwarder was changed since it was read.');
}
