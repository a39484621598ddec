import type { Role } from '../../actor.js';

/** The part of a workspace that says whether its members must use its identity provider. */
export interface SingleSignOnPolicy {
  enforced: boolean;
  /** The owner who may also log in with a password, for when the provider is down. */
  break_glass_user_id: string | null;
}

/** A session with what decides about it. */
interface StoredSession {
  session: { provider_workspace_id?: string };
  user: { _id: string };
  workspace: PolicyWorkspace;
  membership: { role: Role } | null;
}

interface PolicyWorkspace {
  _id: string;
  single_sign_on?: SingleSignOnPolicy | null;
}

/** How a session was opened. */
export interface SessionOrigin {
  userId: string;
  role: Role;
  /** The workspace whose identity provider opened the session; null for every other way to log in. */
  providerWorkspaceId: string | null;
}

/**
 * Returns whether the workspace requires its identity provider for this session. The plan does not matter: a smaller one, which
 * also a payment that fails brings, must not open the workspace to passwords. While it is required, the provider works on every
 * plan (`providers.ts`), and an owner ends it by removing the provider.
 */
export function requiresSingleSignOn(workspace: PolicyWorkspace, session: SessionOrigin): boolean {
  const policy = workspace.single_sign_on;
  if (policy?.enforced !== true) return false;
  if (session.providerWorkspaceId === workspace._id) return false;
  return !(session.userId === policy.break_glass_user_id && session.role === 'owner');
}

/** The same for a stored session. */
export function needsSingleSignOn({ session, user, workspace, membership }: StoredSession): boolean {
  if (membership === null) return false;
  const providerWorkspaceId = session.provider_workspace_id ?? null;
  return requiresSingleSignOn(workspace, { userId: user._id, role: membership.role, providerWorkspaceId });
}
