import type { Clock } from '../../kernel/clock.js';
import type { UserDocument } from '../accounts/documents.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { PasswordProblem } from '../accounts/passwords/password-strength.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import type { Client } from '../http/client/client.js';
import { canonicalEmail } from '../http/input/email-address.js';
import { signUpAttemptedMail } from '../mail/contents/sign-up-attempted.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import { originOf } from '../sessions/devices/origin.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { Ids } from '../storage/ids.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../storage/transaction.js';
import type { AddressLimit } from './address-limit.js';
import type { EmailConfirmation } from './email-confirmation.js';
import { refuseWeakPassword } from './refuse-weak-password.js';
import type { SignUpInput } from './schema.js';

/** The owner of an address gets a mail about sign-ups with it at most once in this time. */
const ATTEMPT_MAIL_PAUSE_MS = 86_400_000;

export interface SignUpNeeds {
  users: UsersStore;
  newFreeWorkspace: NewFreeWorkspace;
  passwords: Passwords;
  passwordProblem: PasswordProblem;
  confirmation: EmailConfirmation;
  limit: AddressLimit;
  signIn: SignIn;
  mailer: Mailer;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  runTransaction: RunTransaction;
  publicUrl: string;
  /** `PICKET_SIGN_UP`. */
  signUpOpen: boolean;
  /** `PICKET_CONFIRM_EMAIL`. Without it, every address counts as confirmed. */
  confirmEmail: boolean;
}

type SignedIn = Awaited<ReturnType<SignIn>> & { warnings: string[] };

/** What the answer says when the mailbox got too many mails, which also other people cause. */
const NOT_SENT =
  'This mailbox got too many of these e-mails within an hour, so the e-mail that confirms the address was not sent. Ask for it in an hour: POST /v1/auth/email/confirm/resend.';

/** Creates a person with a workspace on the Free plan, and signs them in. */
export type SignUp = (input: SignUpInput, client: Client) => Promise<SignedIn>;

export function createSignUp(needs: SignUpNeeds): SignUp {
  return async (input, client) => {
    if (!needs.signUpOpen) {
      throw new AppError('forbidden', 'Nobody can sign up here. Ask somebody of your team for an invitation.');
    }
    needs.limit.take(client.ip);
    const email = canonicalEmail(input.email);
    await refuseWeakPassword(needs.passwordProblem, '/password', input.password, [email, input.workspace_name]);
    // Hashed before the look at the address, so that the time does not tell whether it has an account.
    const password_hash = await needs.passwords.hash(input.password, { stranger: client.ip });
    const user: UserDocument = {
      _id: needs.ids.next('usr'),
      email,
      password_hash,
      created_at_ms: needs.clock.now(),
      ...(needs.confirmEmail
        ? { email_confirmed_at_ms: null }
        : { email_confirmed_at_ms: needs.clock.now(), email_assumed: true }),
    };
    try {
      return await needs.runTransaction((tx) => create(needs, tx, user, { name: input.workspace_name, client }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await tellOwnerOf(needs, email, client);
      throw addressTaken();
    }
  };
}

async function create(
  needs: SignUpNeeds,
  tx: Transaction,
  user: UserDocument,
  { name, client }: { name: string; client: Client },
): Promise<SignedIn> {
  const { users, newFreeWorkspace, confirmation, signIn, audit } = needs;
  await users.insert(tx, user);
  const { workspace } = await newFreeWorkspace(tx, user, name);
  const to = { address: user.email, ip: client.ip };
  const sent = needs.confirmEmail ? await confirmation.request(tx, user, to) : undefined;
  const signedIn = await signIn(tx, {
    user,
    client,
    method: 'password',
    secondFactor: false,
    workspaceId: workspace._id,
  });
  await audit.record(tx, signedIn.actor, {
    action: 'auth.signed_up',
    resource: { type: 'user', id: user._id, name: user.email },
  });
  return { ...signedIn, warnings: sent === 'limited' ? [NOT_SENT] : [] };
}

/** Sends a mail to a person with whose address somebody tried to sign up. */
async function tellOwnerOf(
  { users, mailer, clock, runTransaction, publicUrl }: SignUpNeeds,
  email: string,
  client: Client,
) {
  const nowMs = clock.now();
  await runTransaction(async (tx) => {
    const due = await users.noteSignUpAttempt(tx, email, { atMs: nowMs, notSinceMs: nowMs - ATTEMPT_MAIL_PAUSE_MS });
    if (!due) return;
    const link = mailLink(publicUrl, '/forgot-password');
    await mailer.send(tx, signUpAttemptedMail({ to: email, link, origin: originOf(client, nowMs) }));
  });
}

function addressTaken(): AppError {
  const way = 'If it is yours, log in, or ask for a new password.';
  return new AppError('conflict', `This address cannot be used for a new account. ${way}`);
}
