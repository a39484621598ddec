import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { Operators } from '../accounts/operators.js';
import type { AuditLog } from '../audit/audit.js';
import { addressBucket } from '../http/limits/address-bucket.js';
import { newDeviceMail } from '../mail/contents/new-device.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import { personOf } from './actor.js';
import { type SessionCookies, tokenHash } from './cookie.js';
import { deviceOf } from './devices/device.js';
import { originOf } from './devices/origin.js';
import type { DevicesStore } from './devices/store.js';
import type { SessionDocument } from './documents.js';
import type { SignIn, SignInInput } from './sign-in.js';
import type { SessionsStore } from './store.js';
import { expiryOf, type NeedsSingleSignOn } from './validity.js';
import type { WorkspaceToOpen } from './workspace-to-open.js';

const TOKEN_BYTES = 32;
/** The oldest sessions of a person end when there are more. */
const SESSIONS_PER_USER_MAX = 1_000;

interface SignInNeeds {
  store: SessionsStore;
  memberships: Pick<MembershipsStore, 'touch'>;
  devices: DevicesStore;
  workspaceToOpen: WorkspaceToOpen;
  operators: Pick<Operators, 'includes'>;
  cookies: SessionCookies;
  audit: AuditLog;
  mailer: Mailer;
  needsSingleSignOn: NeedsSingleSignOn;
  invalidate(session: SessionDocument): void;
  publicUrl: string;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export function createSignIn(needs: SignInNeeds): SignIn {
  const { store, memberships, workspaceToOpen, cookies, audit, invalidate, ids, clock, random, logger } = needs;

  /** A session must not outlive a log-in: whoever planted its cookie in this browser would share the new one. */
  async function endPrevious(tx: Transaction, cookie: string | null): Promise<void> {
    const hash = cookies.hashIn(cookie);
    const previous = hash === null ? null : await store.endByHash(tx, hash);
    if (previous !== null) tx.afterCommit(() => invalidate(previous));
  }

  return async (tx, input) => {
    const { user, client, method, secondFactor } = input;
    const nowMs = clock.now();
    await endPrevious(tx, client.cookie);
    const provider =
      input.providerWorkspaceId === undefined ? {} : { provider_workspace_id: input.providerWorkspaceId };
    const { workspace, membership } = await workspaceToOpen(
      tx,
      user,
      input.workspaceId,
      (opened) => !needs.needsSingleSignOn({ ...opened, user, session: provider }),
    );
    const token = random.bytes(TOKEN_BYTES).toString('base64url');
    const isOperator = await needs.operators.includes(tx, user._id);
    const expiresAtMs = expiryOf({ isOperator }, nowMs);
    const session: SessionDocument = {
      _id: ids.next('ses'),
      token_hash: tokenHash(token),
      user_id: user._id,
      workspace_id: workspace._id,
      created_at_ms: nowMs,
      last_used_at_ms: nowMs,
      expires_at_ms: expiresAtMs,
      expires_at: new Date(expiresAtMs),
      confirmed_at_ms: input.confirmedAtMs ?? nowMs,
      second_factor: secondFactor,
      method,
      ...provider,
      ip: client.ip,
      network: addressBucket(client.ip),
      user_agent: client.userAgent,
    };
    await store.insert(tx, session);
    const actor = personOf(
      { session, user, workspace, membership, isOperator },
      client,
      needs.needsSingleSignOn,
      needs.clock.now(),
    );
    await audit.record(tx, actor, {
      action: 'auth.login',
      resource: { type: 'session', id: session._id, name: deviceOf(client.userAgent) },
      metadata: { method, second_factor: secondFactor },
    });
    await notifyOfNewDevice(needs, tx, user, input, session);
    tx.afterCommit(() => {
      store
        .trim(user._id, SESSIONS_PER_USER_MAX)
        .catch((err) => logger.warn({ err }, 'ending the oldest sessions of a person failed'));
      // Outside the transaction, so that concurrent log-ins of one person do not wait for each other.
      memberships
        .touch(workspace._id, user._id, nowMs)
        .catch((err) => logger.warn({ err }, 'recording the use of a workspace failed'));
    });
    return { actor, cookies: [cookies.set(token)] };
  };
}

/** Sends a mail when a person logs in from a device and network that they have not used before, except the first. */
async function notifyOfNewDevice(
  { devices, mailer, publicUrl }: SignInNeeds,
  tx: Transaction,
  user: UserDocument,
  { client }: SignInInput,
  session: SessionDocument,
): Promise<void> {
  const device = deviceOf(client.userAgent);
  const known = await devices.remember(tx, user._id, { device, network: session.network }, session.created_at_ms);
  // An address that nobody has confirmed may be that of somebody else, who must not get mails about this account.
  if (known !== 'new' || user.email_confirmed_at_ms === null) return;
  const origin = originOf(client, session.created_at_ms);
  const link = mailLink(publicUrl, '/account/sessions');
  await mailer.send(tx, newDeviceMail({ to: user.email, origin, method: session.method, link }));
}
