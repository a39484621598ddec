import { AppError } from '../errors.js';
import type { WorkspaceDocument } from './documents.js';

/** Returns whether this person is the owner who can log in while the identity provider of the workspace is down. */
export function isBreakGlass({ single_sign_on }: Pick<WorkspaceDocument, 'single_sign_on'>, userId: string): boolean {
  return single_sign_on?.enforced === true && single_sign_on.break_glass_user_id === userId;
}

/**
 * Throws `conflict` for that owner, who must stay an owner: without one, nobody could open the workspace while its
 * provider is down. Also without the plan that includes single sign-on, which does not end the requirement.
 */
export function refuseBreakGlass(workspace: WorkspaceDocument | null, userId: string): void {
  if (workspace === null || !isBreakGlass(workspace, userId)) return;
  throw new AppError(
    'conflict',
    `This person is the break-glass owner of ${JSON.stringify(workspace.name)}, which requires single sign-on. First name another owner in break_glass_user_id or set enforced to false (PUT /v1/single-sign-on), or remove the provider (DELETE /v1/single-sign-on).`,
  );
}
