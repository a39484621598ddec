import type { Clock } from '../../../kernel/clock.js';
import type { ConfirmationStore } from '../../accounts/confirmation-store.js';
import type { UserDocument } from '../../accounts/documents.js';
import type { Passwords } from '../../accounts/passwords/password.js';
import type { PasswordProblem } from '../../accounts/passwords/password-strength.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { Actor } from '../../actor.js';
import { AppError, invalidField, invalidFields } from '../../errors.js';
import type { Client } from '../../http/client/client.js';
import type { GivenFactors } from '../../sessions/second-factor-check.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { SignIn } from '../../sessions/sign-in.js';
import type { WithLogIn } from '../../sign-in/with-log-in.js';
import type { Ids } from '../../storage/ids.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { Proven, ProvenPerson } from './accept.js';
import type { OpenInvitation } from './open-invitation.js';

/** What comes with the token of an invitation. */
export interface Proof extends GivenFactors {
  password?: string;
}

/** Who has the link of an invitation. The link proves only that they read the mail of the address. */
type Holder =
  /** Their browser is logged in with the address, in a session that may open other workspaces. */
  { kind: 'signed_in'; actor: Actor } | { kind: 'existing'; user: UserDocument } | { kind: 'new' };

export interface IdentityNeeds {
  users: UsersStore;
  confirmations: ConfirmationStore;
  passwords: Pick<Passwords, 'hash'>;
  passwordProblem: PasswordProblem;
  /** Resolves to the person whose session cookie came with the request; null without one. */
  signedIn(client: Client): Promise<Actor | null>;
  withLogIn: WithLogIn;
  sessions: Pick<Sessions, 'moveTo'>;
  signIn: SignIn;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  /** `PICKET_CONFIRM_EMAIL`. Without it, the address of a new account counts as confirmed. */
  confirmEmail: boolean;
}

interface ProvingNeeds extends IdentityNeeds {
  /** Whether the token came by e-mail. One that was handed over proves nothing about the mailbox. */
  wasMailed: boolean;
}

/** Finds out who accepts an invitation. */
export interface Identity {
  holder(email: string, client: Client): Promise<Holder>;
  /** Throws 422 for a missing or weak password. */
  prove(open: OpenInvitation, proof: Proof, client: Client): Promise<Proven>;
}

export function createIdentity(needs: IdentityNeeds): Identity {
  async function holder(email: string, client: Client): Promise<Holder> {
    const actor = await needs.signedIn(client);
    // Owners of another workspace may have opened the session with their identity provider, so it proves nothing here.
    const isOwn = actor?.email === email && actor.session?.providerWorkspaceId === undefined;
    if (isOwn) return { kind: 'signed_in', actor };
    const user = await needs.users.findByEmail(email);
    return user === null ? { kind: 'new' } : { kind: 'existing', user };
  }
  return {
    holder,
    async prove(open, proof, client) {
      const found = await holder(open.invitation.email, client);
      const wasMailed = open.invitation.by_email !== false;
      const parts = { ...needs, wasMailed };
      if (found.kind === 'signed_in') return signedInPerson(parts, found.actor);
      const { password, ...factors } = proof;
      if (password === undefined) throw invalidField('/password', missingPassword(found, wasMailed), 'required');
      // A link that was not mailed does not tell whether there is an account, so both need a strong password.
      if (found.kind === 'new' || !wasMailed) await refuseWeak(parts, open, password);
      if (found.kind === 'new') return newPerson(parts, open, password, client);
      return existingPerson(parts, { ...factors, email: found.user.email, password }, client);
    },
  };
}

/** Moves the session of a person who is logged in with the invited address. */
function signedInPerson(needs: ProvingNeeds, actor: Actor): Proven {
  const { users, sessions, runTransaction } = needs;
  return (join) =>
    runTransaction((tx) =>
      join(tx, {
        account: () => confirmed(needs, tx, actor.userId ?? ''),
        async enter(user, { workspace, role }) {
          await sessions.moveTo(tx, actor.session?.id ?? '', workspace._id);
          await users.setLastWorkspace(tx, user._id, workspace._id);
          const { _id: workspaceId, name: workspaceName, plan } = workspace;
          return { actor: { ...actor, workspaceId, workspaceName, plan, role }, cookies: [] };
        },
      }),
    );
}

function missingPassword({ kind }: Holder, wasMailed: boolean): string {
  if (!wasMailed) return 'is required: the password of your account, or of your new account';
  return kind === 'new' ? 'is required: the password of your new account' : 'is required: the password of your account';
}

async function refuseWeak(
  { passwordProblem, wasMailed }: ProvingNeeds,
  { invitation, workspace }: OpenInvitation,
  password: string,
): Promise<void> {
  const problem = await passwordProblem(password, [invitation.email, workspace.name]);
  if (problem === null) return;
  // The password of an account may be older than this rule. Whoever is logged in needs none here.
  const logIn = wasMailed ? '' : '; if this is the password of your account, log in first, then open the link again';
  throw invalidFields([{ path: '/password', ...problem, message: `${problem.message}${logIn}` }]);
}

function existingPerson(
  needs: ProvingNeeds,
  input: GivenFactors & { email: string; password: string },
  client: Client,
): Proven {
  return (join) =>
    needs.withLogIn(input, client, (tx, proven) =>
      join(tx, {
        account: () => confirmed(needs, tx, proven.user._id),
        enter: entering(needs, tx, client, proven.secondFactor),
      }),
    );
}

async function newPerson(
  needs: ProvingNeeds,
  { invitation }: OpenInvitation,
  password: string,
  client: Client,
): Promise<Proven> {
  const { users, passwords, runTransaction, ids, clock } = needs;
  const nowMs = clock.now();
  const user: UserDocument = {
    _id: ids.next('usr'),
    email: invitation.email,
    password_hash: await passwords.hash(password),
    created_at_ms: nowMs,
    email_confirmed_at_ms: needs.wasMailed || !needs.confirmEmail ? nowMs : null,
    ...(needs.wasMailed || needs.confirmEmail ? {} : { email_assumed: true }),
  };
  return async (join) => {
    try {
      return await runTransaction((tx) =>
        join(tx, {
          async account() {
            await users.insert(tx, user);
            return user;
          },
          enter: entering(needs, tx, client, false),
        }),
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new AppError('conflict', 'An account with this address was created just now. Retry with its password.');
    }
  };
}

/** Resolves to the account, after its address was confirmed by the token if that came from its mailbox. */
async function confirmed(
  { users, confirmations, clock, wasMailed }: ProvingNeeds,
  tx: Transaction,
  id: string,
): Promise<UserDocument> {
  if (wasMailed) await confirmations.confirm(tx, id, clock.now());
  const user = await users.findIn(tx, id);
  if (user === null) throw new AppError('unauthenticated', 'This account does not exist any more.');
  return user;
}

function entering(
  { signIn }: IdentityNeeds,
  tx: Transaction,
  client: Client,
  secondFactor: boolean,
): ProvenPerson['enter'] {
  return (user, { workspace }) =>
    signIn(tx, { user, client, method: 'password', secondFactor, workspaceId: workspace._id });
}
