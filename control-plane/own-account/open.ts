import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { createConfirmationStore } from '../accounts/confirmation-store.js';
import type { EndAddressAccess } from '../accounts/member-access.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import type { OneTimeTokens } from '../accounts/one-time-tokens/one-time-tokens.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { PasswordProblem } from '../accounts/passwords/password-strength.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor, Scope } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Client } from '../http/client/client.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Mailer } from '../mail/mailer.js';
import type { SecondFactors } from '../second-factor/second-factor.js';
import type { RecordFailedLogIn } from '../sessions/failed-log-in.js';
import type { IsKnownDevice } from '../sessions/is-known-device.js';
import type { Sessions } from '../sessions/sessions.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createAddressLimit } from './address-limit.js';
import { type CountAddressChange, createChangeEmail } from './change-email.js';
import { createChangePassword } from './change-password.js';
import { createAccountDeletion } from './delete-account.js';
import { createEmailConfirmation } from './email-confirmation.js';
import { createMeRoute } from './me-route.js';
import { type CountedGuess, createOwnPassword } from './own-password.js';
import { createOwnRoutes } from './own-routes.js';
import { createForgottenPassword } from './password-reset/forgotten-password.js';
import { createProveAddress, type ProveAddress } from './prove-address.js';
import { createPublicRoutes } from './public-routes.js';
import type { UnverifiedAccessNeeds } from './revoke-unverified-access.js';
import { createSignUp } from './sign-up.js';

interface OwnAccountNeeds extends Omit<UnverifiedAccessNeeds, 'memberships'> {
  db: Db;
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  newFreeWorkspace: NewFreeWorkspace;
  tokens: OneTimeTokens;
  passwords: Passwords;
  passwordProblem: PasswordProblem;
  sessions: Sessions;
  isKnownDevice: IsKnownDevice;
  signIn: SignIn;
  signedIn(client: Client): Promise<Actor | null>;
  countedGuess: CountedGuess;
  endAddress: EndAddressAccess;
  countChange: CountAddressChange;
  secondFactors: Pick<SecondFactors, 'summary'>;
  recordFailure: RecordFailedLogIn;
  mailer: Mailer;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  runTransaction: RunTransaction;
  publicUrl: string;
  signUpOpen: boolean;
  confirmEmail: boolean;
  /** Null without a mail server. */
  smtpUrl: string | null;
  /** Of all slices. */
  scopes: readonly Scope[];
}

export interface OpenedOwnAccount extends OpenedSlice {
  proveAddress: ProveAddress;
}

/** Sign-up, and what people change of their own account. */
export const ownAccountSlice: Slice<'ownAccount', OwnAccountNeeds, OpenedOwnAccount> = {
  name: 'ownAccount',
  auditActions: [
    'auth.signed_up',
    'auth.email_confirmed',
    'auth.email_changed',
    'auth.password_changed',
    'auth.password_reset_requested',
    'auth.password_reset',
    'auth.account_deletion_requested',
    'auth.account_deletion_cancelled',
  ],
  open(needs) {
    const limit = createAddressLimit({ ...needs, store: createRateLimitStore(needs.db) });
    const confirmations = createConfirmationStore(needs.db);
    const ownPassword = createOwnPassword(needs);
    const confirmation = createEmailConfirmation({ ...needs, confirmations, ownPassword });
    const shared = { ...needs, limit, confirmations, confirmation, ownPassword };
    return {
      jobs: [limit],
      proveAddress: createProveAddress(shared),
      routes: [
        createMeRoute(needs),
        ...createPublicRoutes({
          ...shared,
          signUp: createSignUp(shared),
          forgottenPassword: createForgottenPassword(shared),
        }),
        ...createOwnRoutes({
          changeEmail: createChangeEmail(shared),
          changePassword: createChangePassword(shared),
          deletion: createAccountDeletion(shared),
        }),
      ],
    };
  },
};
