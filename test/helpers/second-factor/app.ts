import { createRequiringWorkspaces } from '../../../control-plane/accounts/requiring-workspaces.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import type { ActorSession } from '../../../control-plane/actor.js';
import type { Authenticator } from '../../../control-plane/http/authenticate.js';
import { sessionCookie } from '../../../control-plane/http/client/session-cookie.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { type OpenedSecondFactors, secondFactorSlice } from '../../../control-plane/second-factor/open.js';
import { createDatabaseTime } from '../../../control-plane/storage/clock/database-time.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import type { Clock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { type RequestOptions, startApp, type TestApp } from '../app.js';
import { DECLARED } from '../declared.js';
import { actorOf, type TestWorkspace } from '../factories.js';

export const ORIGIN = 'https://picket.example.com';
export const RP_ID = 'picket.example.com';

/** The key of the installation, which all control planes of a test share. */
const box = createSecretBox(systemRandom.bytes(32), systemRandom);

interface Person {
  workspace: TestWorkspace;
  session: ActorSession;
}

/** People whose session is the cookie `person=<session>`, on any number of control planes. */
export interface People {
  sessions: Map<string, Person>;
  mails: OutgoingMail[];
  /** `<session> <method>` of each completed log-in. */
  signedIn: string[];
  /** The ids of users whose log-in failed. */
  failures: string[];
  /** Opens a session and returns what identifies it in a request. */
  open(workspace: TestWorkspace, session?: Partial<ActorSession>): RequestOptions & { session: string };
}

export function people(clock: Pick<Clock, 'now'>): People {
  const sessions = new Map<string, Person>();
  return {
    ...{ sessions, mails: [], signedIn: [], failures: [] },
    open(workspace, session = {}) {
      const id = `ses_${sessions.size + 1}`;
      const own = { id, confirmedAtMs: clock.now(), secondFactor: false, restriction: null, ...session };
      sessions.set(id, { workspace, session: own });
      return { key: null, headers: { cookie: `person=${id}` }, session: id };
    },
  };
}

export interface SecondFactorApp extends TestApp {
  factors: OpenedSecondFactors;
}

/** Starts a control plane with the slice, and sessions in memory. */
export async function startSecondFactorApp(
  mongo: Mongo,
  { sessions, mails, signedIn, failures }: People,
  options: { clock?: Clock; publicUrl?: string; databaseTime?: () => Promise<number> } = {},
): Promise<SecondFactorApp> {
  let factors: OpenedSecondFactors | undefined;
  const authenticator: Authenticator = {
    recognizes: () => true,
    recheck: async () => null,
    async authenticate({ client }) {
      const person = sessions.get(/^person=(\w+)$/.exec(client.cookie ?? '')?.[1] ?? '');
      if (person === undefined) return null;
      const { ip, userAgent } = client;
      return actorOf(person.workspace, { kind: 'session', session: person.session, ip, userAgent });
    },
  };
  const app = await startApp({
    mongo,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    authenticators: [authenticator],
    async routes(parts) {
      factors = await secondFactorSlice.open({
        ...{ ...parts, db: mongo.db, secretBox: box, users: createUsersStore(mongo.db) },
        ...{ random: systemRandom, logger: createLogger({ name: 'test', level: 'silent' }) },
        ...{ publicUrl: options.publicUrl ?? ORIGIN, scopes: DECLARED.scopes },
        databaseTime: options.databaseTime ?? createDatabaseTime(mongo.db),
        requiringWorkspaces: createRequiringWorkspaces(mongo.db),
        mailer: { send: async (tx, mail) => void tx.afterCommit(() => mails.push(mail)) },
        sessions: {
          end: async () => true,
          moveTo: async () => undefined,
          endOfProvider: async () => 0,
          peopleOfProvider: async () => [],
          async confirm(tx, id, { secondFactor } = {}) {
            tx.afterCommit(() => {
              const person = sessions.get(id);
              if (person !== undefined && secondFactor !== undefined) person.session.secondFactor = secondFactor;
            });
          },
          async endAll(tx, userId, { except } = {}) {
            const ended = [...sessions].filter(([id, { workspace }]) => workspace.userId === userId && id !== except);
            tx.afterCommit(() => {
              for (const [id] of ended) sessions.delete(id);
            });
            return ended.length;
          },
        },
        async signIn(tx, { user, method, secondFactor }) {
          tx.afterCommit(() => signedIn.push(`${user._id} ${method} ${secondFactor}`));
          const actor = actorOf({ ...app.workspace, userId: user._id, email: user.email });
          return { actor: { ...actor, kind: 'session' }, cookies: [sessionCookie(ORIGIN, 'token', 60)] };
        },
        async recordFailure(_tx, { user }) {
          failures.push(user?._id ?? '');
        },
      });
      await factors.ensureIndexes?.();
      return factors.routes ?? [];
    },
  });
  if (factors === undefined) throw new Error('the slice was not opened');
  return { ...app, factors };
}
