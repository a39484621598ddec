import type { WorkspaceDocument } from '../accounts/documents.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, notFound } from '../errors.js';
import { requireOwnerSession } from '../http/access.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { ChangeWorkspace } from './schema.js';
import { settingsVersion } from './view.js';

/**
 * Changes the settings of the actor's workspace. Throws 412, 409 when the person would shut themselves out, and 403 unless an
 * owner in a session changes whether everybody needs a second factor.
 */
export type ChangeSettings = (
  tx: Transaction,
  actor: Actor,
  change: ChangeWorkspace,
  ifVersion: number | null,
) => Promise<WorkspaceDocument>;

export function createChangeSettings({
  workspaces,
  audit,
}: {
  workspaces: WorkspacesStore;
  audit: AuditLog;
}): ChangeSettings {
  return async (tx, actor, change, ifVersion) => {
    const before = await workspaces.document(tx, actor.workspaceId);
    if (before === null) throw notFound('workspace');
    requireVersion(ifVersion, settingsVersion(before));
    const changes = changesOf(before, change);
    if (changes['requires_second_factor'] !== undefined) requireOwnerSession(actor);
    if (change.requires_second_factor === true && actor.session !== null && !actor.session.secondFactor) {
      throw new AppError('conflict', 'Set up a second factor for yourself first, and log in with it.');
    }
    if (Object.keys(changes).length === 0) return before;
    const after: WorkspaceDocument = { ...before, ...change, settings_version: settingsVersion(before) + 1 };
    await workspaces.change(tx, actor.workspaceId, change);
    await audit.record(tx, actor, {
      action: 'workspace.updated',
      resource: { type: 'workspace', id: before._id, name: after.name },
      metadata: { changes },
    });
    return after;
  };
}

function changesOf(before: WorkspaceDocument, change: ChangeWorkspace): Record<string, { from: unknown; to: unknown }> {
  const from = { name: before.name, requires_second_factor: before.requires_second_factor ?? false };
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const field of ['name', 'requires_second_factor'] as const) {
    if (change[field] !== undefined && change[field] !== from[field]) {
      changes[field] = { from: from[field], to: change[field] };
    }
  }
  return changes;
}
