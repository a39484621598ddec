import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../accounts/documents.js';
import type { ActorSession, SessionRestriction } from '../actor.js';
import type { SessionDocument } from './documents.js';

const DAY_MS = 86_400_000;
/** A session ends this long after its last use. */
const IDLE_MS_MAX = 30 * DAY_MS;
/** The sessions of operators, who may change the whole installation. */
const OPERATOR_IDLE_MS_MAX = 12 * 3_600_000;

/** A session with the documents that its actor is made from. */
export interface SessionWithOwner {
  session: SessionDocument;
  user: UserDocument;
  workspace: WorkspaceDocument;
  /** null once the person has left the workspace. */
  membership: MembershipDocument | null;
  /** Whether the person is an operator, in whichever workspace the session acts: it can move to theirs at any moment. */
  isOperator: boolean;
}

/**
 * Returns whether a workspace admits the person only through single sign-on, and this session was not opened that way.
 */
export type NeedsSingleSignOn = (
  found: Omit<RestrictedSession, 'session'> & {
    session: Pick<SessionDocument, 'provider_workspace_id'>;
  },
) => boolean;

/** What decides whether a session may do something in a workspace. */
export interface RestrictedSession extends Pick<SessionWithOwner, 'workspace' | 'membership'> {
  user: Pick<UserDocument, '_id'>;
  session: Pick<SessionDocument, 'second_factor' | 'provider_workspace_id'>;
}

/** Returns when a session ends that is used now. */
export function expiryOf(of: Pick<SessionWithOwner, 'isOperator'>, nowMs: number): number {
  return nowMs + idleMsMax(of);
}

/** Returns whether the session still works. The rights of today decide: somebody may have become an operator since. */
export function isValid(found: SessionWithOwner, nowMs: number): boolean {
  const { session, membership } = found;
  if (membership === null || nowMs >= session.expires_at_ms) return false;
  if ((session.provider_workspace_id ?? session.workspace_id) !== session.workspace_id) return false;
  return nowMs - session.last_used_at_ms < idleMsMax(found);
}

/** Returns why the session may do nothing in its workspace yet; null if it may. */
export function restrictionOf(
  found: RestrictedSession,
  needsSingleSignOn: NeedsSingleSignOn,
): SessionRestriction | null {
  if (needsSingleSignOn(found)) return 'single_sign_on_required';
  const needsFactor = found.workspace.requires_second_factor === true && !found.session.second_factor;
  return needsFactor ? 'second_factor_setup_required' : null;
}

export function actorSessionOf(found: SessionWithOwner, needsSingleSignOn: NeedsSingleSignOn): ActorSession {
  const { session } = found;
  return {
    id: session._id,
    confirmedAtMs: session.confirmed_at_ms,
    secondFactor: session.second_factor,
    restriction: restrictionOf(found, needsSingleSignOn),
    ...(session.provider_workspace_id === undefined ? {} : { providerWorkspaceId: session.provider_workspace_id }),
  };
}

function idleMsMax({ isOperator }: Pick<SessionWithOwner, 'isOperator'>): number {
  return isOperator ? OPERATOR_IDLE_MS_MAX : IDLE_MS_MAX;
}
