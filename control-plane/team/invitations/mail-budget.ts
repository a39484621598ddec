import { AppError } from '../../errors.js';

/** In a workspace. */
const INVITATION_MAILS_PER_HOUR_MAX = 50;
const HOUR_MS = 3_600_000;

/**
 * Returns the times of the last hour with this one added. `sentAtMs` has the times of earlier e-mails, oldest first.
 * Throws `rate_limited` when the workspace has sent 50 invitations within the last hour.
 */
export function withOneMore(sentAtMs: readonly number[], nowMs: number): number[] {
  const recent = sentAtMs.filter((atMs) => atMs > nowMs - HOUR_MS);
  const oldest = recent.at(-INVITATION_MAILS_PER_HOUR_MAX);
  if (oldest === undefined) return [...recent, nowMs];
  const waitS = Math.ceil((oldest + HOUR_MS - nowMs) / 1_000);
  const most = `A workspace can send ${INVITATION_MAILS_PER_HOUR_MAX} invitations per hour.`;
  throw new AppError('rate_limited', `${most} Retry in ${waitS} s.`, { headers: { 'Retry-After': String(waitS) } });
}
