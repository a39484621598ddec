import type { Clock } from '../../kernel/clock.js';
import type { ConfirmationStore } from '../accounts/confirmation-store.js';
import type { UserDocument } from '../accounts/documents.js';
import type { EndAddressAccess, Ended } from '../accounts/member-access.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { OneTimeTokens } from '../accounts/one-time-tokens/one-time-tokens.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import { type Actor, platformActor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, invalidField } from '../errors.js';
import type { Client } from '../http/client/client.js';
import { addressBucket, siteBucket } from '../http/limits/address-bucket.js';
import { confirmEmailChangeMail, confirmEmailMail } from '../mail/contents/confirm-email.js';
import { emailChangedMail } from '../mail/contents/email-changed.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import { mutedTogether } from '../references/ended.js';
import { originOf } from '../sessions/devices/origin.js';
import type { Sessions } from '../sessions/sessions.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../storage/transaction.js';
import { actorInLastWorkspace } from './actor-in-last-workspace.js';
import type { OwnPassword } from './own-password.js';
import {
  endUnverifiedDeletion,
  revokeUnverifiedAccess,
  type UnverifiedAccessNeeds,
} from './revoke-unverified-access.js';
import { CONFIRM_EMAIL, RESET_PASSWORD } from './token-purposes.js';

export const CONFIRM_TOKEN_MS = 86_400_000;

/** Proofs that a person reads the mail of an address: their own, or the one that they want to change to. */
export interface EmailConfirmation {
  /**
   * Sends a link to the address. Links that were sent before end. Resolves to `limited` when the mailbox got too many, so that
   * nothing was sent.
   */
  request(tx: Transaction, user: UserDocument, to: ConfirmedAddress): Promise<'limited' | undefined>;
  /**
   * Confirms the address that the token was sent to, and makes it the person's own. Needs the password from somebody who is
   * not logged in with the account: whoever reads the mail may not be who made the account. The first time, all other sessions
   * end, and without a session everything that the account made before. Resolves to the channels that reach nobody any more,
   * because they had only the previous address. Throws 422 and 409.
   */
  confirm(input: { token: string; password?: string }, client: Client): Promise<Ended>;
}

/** An address that gets a link, and the network that causes it. */
export interface ConfirmedAddress {
  address: string;
  ip: string | null;
}

export interface EmailConfirmationNeeds extends UnverifiedAccessNeeds {
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  confirmations: ConfirmationStore;
  tokens: OneTimeTokens;
  sessions: Sessions;
  mailer: Mailer;
  audit: AuditLog;
  clock: Clock;
  runTransaction: RunTransaction;
  publicUrl: string;
  ownPassword: Pick<OwnPassword, 'requireOf'>;
  endAddress: EndAddressAccess;
  signedIn(client: Client): Promise<Actor | null>;
}

export function createEmailConfirmation(needs: EmailConfirmationNeeds): EmailConfirmation {
  const { users, tokens, mailer, clock, runTransaction, publicUrl } = needs;
  return {
    async request(tx, user, { address, ip }) {
      await tokens.revoke(tx, CONFIRM_EMAIL, user._id);
      const token = await tokens.issue(tx, {
        purpose: CONFIRM_EMAIL,
        userId: user._id,
        data: { address },
        ttlMs: CONFIRM_TOKEN_MS,
      });
      const link = mailLink(publicUrl, '/confirm-email', token);
      const mail = address === user.email ? confirmEmailMail : confirmEmailChangeMail;
      const sent = mail({ to: address, link, expiresAtMs: clock.now() + CONFIRM_TOKEN_MS });
      // Not the account: whoever signs up with many spellings of an address has as many accounts.
      return mailer.send(tx, { ...sent, causedBy: siteBucket(ip) ?? addressBucket(ip) });
    },
    async confirm({ token, password }, client) {
      const ownSession = await requireHolder(needs, { token, password }, client);
      try {
        return await runTransaction(async (tx) => {
          const redeemed = await tokens.redeem(tx, CONFIRM_EMAIL, token);
          const address = redeemed?.data['address'];
          const user = redeemed?.userId == null ? null : await users.findIn(tx, redeemed.userId);
          if (user === null || address === undefined) throw linkEnded();
          return confirmAddress(needs, tx, { user, address, ownSession, client });
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('conflict', 'Another account has this address by now.');
      }
    },
  };
}

function linkEnded(): AppError {
  return invalidField('/token', 'is unknown, used or older than a day; ask for a new e-mail', 'ended_link');
}

/**
 * Resolves to the session with which the client is logged in; null after the password. Throws unless the client is who has the
 * account. Somebody who signs up with the address of another person could otherwise have that person confirm it, and would know
 * the password of a confirmed account.
 */
async function requireHolder(
  { users, tokens, ownPassword, signedIn }: EmailConfirmationNeeds,
  { token, password }: { token: string; password: string | undefined },
  client: Client,
): Promise<string | null> {
  const userId = await tokens.userOf(CONFIRM_EMAIL, token);
  const user = userId === null ? null : await users.find(userId);
  if (user === null) throw linkEnded();
  const actor = await signedIn(client);
  // Owners of a workspace chose its identity provider, so its sessions are not those of the person alone.
  if (actor?.userId === user._id && actor.session !== null && actor.session.providerWorkspaceId === undefined) {
    return actor.session.id;
  }
  if (password === undefined) {
    throw invalidField('/password', 'is required, because you are not logged in with this account', 'required');
  }
  await ownPassword.requireOf(user, client, '/password', password);
  return null;
}

interface Confirmed {
  user: UserDocument;
  address: string;
  /** The session of the account that confirms; null for a person who is not logged in with it. */
  ownSession: string | null;
  client: Client;
}

async function confirmAddress(needs: EmailConfirmationNeeds, tx: Transaction, confirmed: Confirmed): Promise<Ended> {
  const { users, confirmations, tokens, mailer, clock } = needs;
  const { user, address, client } = confirmed;
  const nowMs = clock.now();
  const changed = address !== user.email;
  const ended = user.email_confirmed_at_ms === null ? await endUnconfirmed(needs, tx, confirmed) : {};
  if (changed) await users.setEmail(tx, user._id, { email: address, confirmedAtMs: nowMs });
  await confirmations.confirm(tx, user._id, nowMs);
  if (changed) {
    // A link that went to the previous address must not open the account.
    await tokens.revoke(tx, RESET_PASSWORD, user._id);
    await mailer.send(tx, emailChangedMail({ to: user.email, newEmail: address, origin: originOf(client, nowMs) }));
  }
  const actor = await actorInLastWorkspace(needs, tx, { ...user, email: address }, client);
  if (changed) return recordChange(needs, tx, actor, { user, address, ended });
  if (actor === null) return {};
  await needs.audit.record(tx, actor, {
    action: 'auth.email_confirmed',
    resource: { type: 'user', id: user._id, name: address },
    metadata: ended,
  });
  return {};
}

/**
 * Ends what was made while nobody had confirmed the address, because it may be of somebody else who had the account then. From
 * the browser of a person who is logged in with the account, only its other sessions end: the person made it.
 */
async function endUnconfirmed(
  needs: EmailConfirmationNeeds,
  tx: Transaction,
  { user, ownSession }: Confirmed,
): Promise<Record<string, unknown>> {
  if (ownSession !== null) {
    const sessions_ended = await needs.sessions.endAll(tx, user._id, { except: ownSession });
    return sessions_ended === 0 ? {} : { sessions_ended };
  }
  const revoked = await revokeUnverifiedAccess(needs, tx, user);
  return { first_proof_of_address: true, ...revoked, ...(await endUnverifiedDeletion(needs.users, tx, user)) };
}

/**
 * Ends what was sent to the previous address in all workspaces of the person. The entry is in the workspace in which they
 * worked last, and in those in which something ended. Resolves to the channels of all of them that reach nobody any more.
 */
async function recordChange(
  { memberships, endAddress, audit }: EmailConfirmationNeeds,
  tx: Transaction,
  actor: Actor | null,
  { user, address, ended: endedBefore }: Pick<Confirmed, 'user' | 'address'> & { ended: Record<string, unknown> },
): Promise<Ended> {
  const muted: Ended[] = [];
  const changes = { email: { from: user.email, to: address } };
  const resource = { type: 'user', id: user._id, name: address };
  for (const { workspace_id: workspaceId } of await memberships.of(tx, user._id)) {
    const ended = await endAddress(tx, { workspaceId, email: user.email, newEmail: address });
    muted.push(ended);
    const isLast = workspaceId === actor?.workspaceId;
    if (!isLast && Object.keys(ended).length === 0) continue;
    await audit.record(tx, isLast ? actor : platformActor(workspaceId), {
      action: 'auth.email_changed',
      resource,
      metadata: { changes, ...(isLast ? endedBefore : {}), ...ended },
    });
  }
  return mutedTogether(muted);
}
