/**
 * Why a log-in through an identity provider was refused. The audit log has the reason, and `page.ts` tells the person
 * what it means.
 */
export const REFUSAL_REASONS = [
  'not_configured',
  'plan_required',
  'provider_unavailable',
  'provider_error',
  'sign_in_cancelled',
  'expired',
  'other_browser',
  'already_used',
  'provider_changed',
  'invalid_response',
  'email_missing',
  'email_unverified',
  'domain_not_verified',
  'account_exists',
  'subject_changed',
  'member_removed',
  'operator_account',
  'no_access',
  'workspace_full',
  'account_unconfirmed',
  'not_confirmed',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** A log-in was refused. `message` is for the operator's log and contains no secret. */
export class SignInRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string = reason, cause?: unknown) {
    super(message, { cause });
    this.name = 'SignInRefused';
    this.reason = reason;
  }
}
