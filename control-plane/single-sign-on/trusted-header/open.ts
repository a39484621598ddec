import type { Db } from 'mongodb';
import type { Networks } from '../../../kernel/guard/networks.js';
import type { MemberAccess } from '../../accounts/member-access.js';
import type { Actor } from '../../actor.js';
import { personBy } from '../../http/authenticate.js';
import type { Client } from '../../http/client/client.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import { createHeaderAuthenticator } from './authenticator.js';
import type { HeaderPersonNeeds } from './person.js';
import type { TrustedHeader } from './settings.js';
import { createTrustedHeaderStore } from './store.js';

export interface TrustedHeaderNeeds extends Omit<HeaderPersonNeeds, 'store' | 'role'> {
  db: Db;
  /** null: nobody is logged in by a header. */
  header: TrustedHeader | null;
  trustedProxies: Networks;
  publicUrl: string;
  sessions: Sessions;
  /** Resolves to the person whose session cookie came with a request to a public route; null without one. */
  signedIn(client: Client): Promise<Actor | null>;
}

export interface OpenedTrustedHeader extends OpenedSlice {
  /** The sessions, for slices that end or move those of people: people of the header are read again, too. */
  sessions: Sessions;
  /** Resolves to the person of a request to a public route, by the header or else by the cookie; null without one. */
  signedIn(client: Client): Promise<Actor | null>;
}

/**
 * Log-in by the header of an authenticating proxy. Its authenticator is asked before the others, because a person whom the
 * proxy has logged out and another one in may still have the cookie of the first one.
 */
export const trustedHeaderSlice: Slice<'trustedHeader', TrustedHeaderNeeds, OpenedTrustedHeader> = {
  name: 'trustedHeader',
  open(needs) {
    const { header, sessions, signedIn } = needs;
    if (header === null) return { sessions, signedIn, memberAccess: [sessionAccess(sessions)] };
    const store = createTrustedHeaderStore(needs.db);
    const authenticator = createHeaderAuthenticator({ ...needs, store, header: header.name, role: header.role });
    const ofPeople: Sessions = {
      ...sessions,
      endAll(tx, userId, options) {
        tx.afterCommit(authenticator.invalidate);
        return sessions.endAll(tx, userId, options);
      },
      // People of the header have no session: the workspace that they work in is that of their account.
      moveTo(tx, sessionId, workspaceId) {
        tx.afterCommit(authenticator.invalidate);
        return sessions.moveTo(tx, sessionId, workspaceId);
      },
    };
    return {
      firstAuthenticators: [authenticator],
      sessions: ofPeople,
      memberAccess: [sessionAccess(ofPeople)],
      signedIn: async (client) => (await personBy(authenticator, client)) ?? signedIn(client),
    };
  },
};

/** Sessions end with every change of the role, so that the person logs in again with the new rights. */
function sessionAccess({ endAll }: Sessions): MemberAccess {
  return { name: 'sessions_ended', end: (tx, { userId, workspaceId }) => endAll(tx, userId, { workspaceId }) };
}
