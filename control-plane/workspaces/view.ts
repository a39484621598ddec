import { isoOrNull, toIso } from '../../kernel/clock.js';
import type { MembershipDocument, WorkspaceDocument } from '../accounts/documents.js';
import type { OwnWorkspace, WorkspaceSettings } from './schema.js';

/** `current`: whether the session works in it. */
export function ownWorkspaceOf(
  { _id, name, plan }: Pick<WorkspaceDocument, '_id' | 'name' | 'plan'>,
  { role, created_at_ms }: MembershipDocument,
  current: boolean,
): OwnWorkspace {
  return { id: _id, name, plan, role, current, joined_at: toIso(created_at_ms) };
}

/** The version of the settings, for `ETag`. */
export function settingsVersion({ settings_version = 0 }: WorkspaceDocument): number {
  return settings_version;
}

export function settingsOf(document: WorkspaceDocument): WorkspaceSettings {
  const { _id, name, plan, created_at_ms, confirmed_at_ms = created_at_ms, deletion } = document;
  return {
    id: _id,
    name,
    plan,
    created_at: toIso(created_at_ms),
    confirmed_at: isoOrNull(confirmed_at_ms),
    requires_second_factor: document.requires_second_factor ?? false,
    // It is set with the provider and removed with it.
    has_identity_provider: document.single_sign_on != null,
    deleted_at: deletion == null ? null : toIso(deletion.at_ms),
  };
}
