import type { Clock } from '../../../kernel/clock.js';
import type { ConfirmationStore } from '../../accounts/confirmation-store.js';
import type { UserDocument } from '../../accounts/documents.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { OneTimeTokens } from '../../accounts/one-time-tokens/one-time-tokens.js';
import type { Passwords } from '../../accounts/passwords/password.js';
import type { PasswordProblem } from '../../accounts/passwords/password-strength.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { AuditEvent, AuditLog } from '../../audit/audit.js';
import { invalidField, invalidFields } from '../../errors.js';
import type { Client } from '../../http/client/client.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import { passwordChangedMail } from '../../mail/contents/password-changed.js';
import { passwordResetMail } from '../../mail/contents/password-reset.js';
import { mailLink } from '../../mail/link.js';
import type { Mailer } from '../../mail/mailer.js';
import { originOf } from '../../sessions/devices/origin.js';
import type { IsKnownDevice } from '../../sessions/is-known-device.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { actorInLastWorkspace } from '../actor-in-last-workspace.js';
import type { AddressLimit } from '../address-limit.js';
import { type LeavePlantedNeeds, leavePlantedWorkspace } from '../leave-planted.js';
import { isAddressProved } from '../prove-address.js';
import { refuseWeakPassword } from '../refuse-weak-password.js';
import {
  endUnverifiedDeletion,
  revokeUnverifiedAccess,
  type UnverifiedAccessNeeds,
} from '../revoke-unverified-access.js';
import { CONFIRM_EMAIL, RESET_PASSWORD } from '../token-purposes.js';
import { nextResetMail, resetLinkMs } from './reset-pause.js';

/** A forgotten password is replaced with a link in an e-mail. */
export interface ForgottenPassword {
  /**
   * Sends the link if the address has an account and it is time for another mail (`nextResetMail`); the links of earlier mails keep
   * working. The caller cannot tell whether the address has an account.
   */
  request(email: string, client: Client): Promise<void>;
  /** Sets the password and ends all sessions. Throws 422 for a token that does not work any more. */
  reset(input: { token: string; password: string }, client: Client): Promise<void>;
}

export interface ForgottenPasswordNeeds extends UnverifiedAccessNeeds, LeavePlantedNeeds {
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  confirmations: ConfirmationStore;
  tokens: OneTimeTokens;
  passwords: Passwords;
  passwordProblem: PasswordProblem;
  limit: AddressLimit;
  sessions: Sessions;
  isKnownDevice: IsKnownDevice;
  mailer: Mailer;
  audit: AuditLog;
  clock: Clock;
  runTransaction: RunTransaction;
  publicUrl: string;
}

export function createForgottenPassword(needs: ForgottenPasswordNeeds): ForgottenPassword {
  return {
    request: (email, client) => request(needs, canonicalEmail(email), client),
    reset: (input, client) => reset(needs, input, client),
  };
}

async function request(needs: ForgottenPasswordNeeds, email: string, client: Client): Promise<void> {
  const { users, limit, isKnownDevice, runTransaction, clock } = needs;
  limit.take(client.ip);
  const known = await users.findByEmail(email);
  const isKnown = await isKnownDevice(known?._id ?? null, client);
  // The same transaction for every address, so that its time tells little; the answer does not wait for the mail.
  await runTransaction(async (tx) => {
    const nowMs = clock.now();
    const user = await users.findByEmailIn(tx, email);
    if (user === null) return;
    const mails = { latestMs: user.reset_requested_at_ms ?? null, unused: user.reset_mails_unused ?? 0 };
    const unused = nextResetMail(mails, isKnown, nowMs);
    if (unused === null) return;
    await users.noteResetMail(tx, user._id, { atMs: nowMs, unused });
    await sendLink(needs, tx, user, { client, liveMs: resetLinkMs(unused) });
    await record(needs, tx, { userId: user._id, client }, 'auth.password_reset_requested', {});
  });
}

/**
 * Sends a link. Earlier links stay valid: otherwise anybody who requests links for the address could invalidate the one
 * that the person is using.
 */
async function sendLink(
  { tokens, mailer, clock, publicUrl }: Pick<ForgottenPasswordNeeds, 'tokens' | 'mailer' | 'clock' | 'publicUrl'>,
  tx: Transaction,
  user: UserDocument,
  { client, liveMs }: { client: Client; liveMs: number },
): Promise<void> {
  const token = await tokens.issue(tx, { purpose: RESET_PASSWORD, userId: user._id, ttlMs: liveMs });
  const expiresAtMs = clock.now() + liveMs;
  const link = mailLink(publicUrl, '/reset-password', token);
  const origin = originOf(client, clock.now());
  await mailer.send(tx, passwordResetMail({ to: user.email, link, expiresAtMs, origin }));
}

async function reset(
  needs: ForgottenPasswordNeeds,
  input: { token: string; password: string },
  client: Client,
): Promise<void> {
  const { users, tokens, passwords, passwordProblem, sessions, mailer, clock, runTransaction, publicUrl } = needs;
  needs.limit.take(client.ip);
  await refuseWeakPassword(passwordProblem, '/password', input.password, []);
  const hash = await passwords.hash(input.password);
  await runTransaction(async (tx) => {
    const redeemed = await tokens.redeem(tx, RESET_PASSWORD, input.token);
    const user = redeemed?.userId == null ? null : await users.findIn(tx, redeemed.userId);
    if (user === null) {
      throw invalidField('/token', 'is unknown, used or no longer valid; ask for a new e-mail', 'ended_link');
    }
    const problem = await passwordProblem(input.password, [user.email]);
    if (problem !== null) throw invalidFields([{ path: '/password', ...problem }]);
    const isFirstProof = !isAddressProved(user);
    const revoked = isFirstProof ? await revokeUnverifiedAccess(needs, tx, user) : {};
    const deletion = isFirstProof ? await endUnverifiedDeletion(users, tx, user) : {};
    await users.setPassword(tx, user._id, hash);
    // Whoever reads the mail of the address has just proved it.
    const nowMs = clock.now();
    await needs.confirmations.confirm(tx, user._id, nowMs);
    await sessions.endAll(tx, user._id);
    // Whoever asked for another address knew the previous password, and may be why it was reset.
    await tokens.revoke(tx, CONFIRM_EMAIL, user._id);
    await tokens.revoke(tx, RESET_PASSWORD, user._id);
    const link = mailLink(publicUrl, '/forgot-password');
    await mailer.send(tx, passwordChangedMail({ to: user.email, link, origin: originOf(client, nowMs) }));
    const metadata = isFirstProof ? { first_proof_of_address: true, ...revoked, ...deletion } : {};
    await record(needs, tx, { userId: user._id, client }, 'auth.password_reset', metadata);
    const owned = isFirstProof ? await users.findIn(tx, user._id) : null;
    if (owned !== null) await leavePlantedWorkspace(needs, tx, owned, client);
  });
}

async function record(
  needs: ForgottenPasswordNeeds,
  tx: Transaction,
  { userId, client }: { userId: string; client: Client },
  action: AuditEvent['action'],
  metadata: Record<string, unknown>,
): Promise<void> {
  const user = await needs.users.findIn(tx, userId);
  const actor = user === null ? null : await actorInLastWorkspace(needs, tx, user, client);
  if (user === null || actor === null) return;
  const resource = { type: 'user', id: user._id, name: user.email };
  await needs.audit.record(tx, actor, { action, resource, metadata });
}
