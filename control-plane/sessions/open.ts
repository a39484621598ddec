import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import type { Operators } from '../accounts/operators.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { personBy } from '../http/authenticate.js';
import type { Client } from '../http/client/client.js';
import type { Pager } from '../http/paging.js';
import type { Mailer } from '../mail/mailer.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createSessionAuthenticator } from './authenticator.js';
import { createSessionCookies, type SessionCookies } from './cookie.js';
import { createSessions } from './create-sessions.js';
import { createSignIn } from './create-sign-in.js';
import { createDevicesStore } from './devices/store.js';
import type { RecordFailedLogIn } from './failed-log-in.js';
import { createIsKnownDevice, type IsKnownDevice } from './is-known-device.js';
import { createRecordFailedLogIn } from './record-failed-log-in.js';
import { createSessionRoutes } from './routes.js';
import type { Sessions } from './sessions.js';
import type { SignIn } from './sign-in.js';
import { createSessionsStore } from './store.js';
import type { NeedsSingleSignOn } from './validity.js';
import { createWorkspaceToOpen } from './workspace-to-open.js';
import { createEntersWorkspace, type EntersWorkspace } from './workspaces/enters-workspace.js';

interface SessionsNeeds {
  db: Db;
  workspaces: WorkspacesStore;
  users: UsersStore;
  memberships: MembershipsStore;
  operators: Operators;
  newFreeWorkspace: NewFreeWorkspace;
  needsSingleSignOn: NeedsSingleSignOn;
  audit: AuditLog;
  mailer: Mailer;
  publicUrl: string;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface OpenedSessions extends OpenedSlice {
  ofPeople: Sessions;
  signIn: SignIn;
  recordFailure: RecordFailedLogIn;
  isKnownDevice: IsKnownDevice;
  cookies: SessionCookies;
  /** Resolves to the person whose cookie came with a request to a public route; null without a session that works. */
  signedIn(client: Client): Promise<Actor | null>;
  entersWorkspace: EntersWorkspace;
}

/** The sessions of people who are logged in, and the common end of every way to log in. */
export const sessionsSlice: Slice<'sessions', SessionsNeeds, OpenedSessions> = {
  name: 'sessions',
  idPrefixes: ['ses'],
  auditActions: ['auth.login', 'auth.login_failed', 'auth.session_ended'],
  open(needs) {
    const store = createSessionsStore(needs.db);
    const devices = createDevicesStore(needs.db);
    const cookies = createSessionCookies(needs.publicUrl);
    const authenticator = createSessionAuthenticator({ ...needs, store, cookies });
    const { invalidate } = authenticator;
    const sessions = createSessions({ ...needs, store, invalidate });
    const workspaceToOpen = createWorkspaceToOpen(needs);
    return {
      authenticators: [authenticator],
      routes: createSessionRoutes({ ...needs, store, sessions }),
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), devices.ensureIndexes()]);
      },
      ofPeople: sessions,
      signIn: createSignIn({ ...needs, store, devices, workspaceToOpen, cookies, invalidate }),
      recordFailure: createRecordFailedLogIn(needs),
      isKnownDevice: createIsKnownDevice(devices),
      cookies,
      signedIn: (client) => personBy(authenticator, client),
      entersWorkspace: createEntersWorkspace(needs),
    };
  },
};
