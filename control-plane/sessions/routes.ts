import type { Clock } from '../../kernel/clock.js';
import type { ActorSession } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { deviceOf } from './devices/device.js';
import { Session, SessionPage, SessionParams } from './schema.js';
import type { Sessions } from './sessions.js';
import type { SessionsStore } from './store.js';
import { sessionOf } from './view.js';

/** What a person sees of a session does not change by a request for it, so it has one version. */
const SESSION_VERSION = 1;

interface SessionRoutesNeeds {
  store: Pick<SessionsStore, 'list' | 'find'>;
  sessions: Sessions;
  audit: AuditLog;
  pager: Pager;
  clock: Clock;
}

export function createSessionRoutes(needs: SessionRoutesNeeds): Route[] {
  const { store, pager, clock } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/auth/sessions',
      access: 'session',
      whileStopped: 'always',
      tag: 'Sessions',
      summary: 'List your sessions, newest first',
      description: 'The places where you are logged in, in all your workspaces.',
      query: SessionPage,
      list: true,
      replies: { 200: Session },
      async handle(input) {
        const { userId, session } = input.actor;
        const page = pager.open(`sessions-of-${userId}`, BY_ID, input);
        const found = await store.list(userId ?? '', clock.now(), page.request, filterOf(session));
        return page.reply(found, (rows) => rows.map((row) => sessionOf(row, session?.id ?? null)));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/auth/sessions/{id}',
      access: 'session',
      whileStopped: 'always',
      tag: 'Sessions',
      summary: 'Get one of your sessions',
      params: SessionParams,
      replies: { 200: Session },
      async handle({ actor, params }) {
        const found = await store.find(actor.userId ?? '', params.id, clock.now());
        const { workspaceId } = filterOf(actor.session);
        const isHidden = workspaceId !== undefined && found?.workspace_id !== workspaceId;
        if (found === null || isHidden) throw notFound('session');
        return { status: 200, data: sessionOf(found, actor.session?.id ?? null), version: SESSION_VERSION };
      },
    }),
    ...endRoutes(needs),
  ];
}

/** A session that the identity provider of a workspace opened shows and ends only sessions in that workspace. */
function filterOf(session: ActorSession | null): { workspaceId?: string } {
  return session?.providerWorkspaceId === undefined ? {} : { workspaceId: session.providerWorkspaceId };
}

function endRoutes({ sessions, audit }: SessionRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'DELETE',
      path: '/v1/auth/sessions/{id}',
      access: 'session',
      whileStopped: 'always',
      tag: 'Sessions',
      summary: 'End one of your sessions',
      description: 'It can change nothing more at once, and read nothing more after five seconds.',
      params: SessionParams,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        const isEnded = await sessions.end(tx, actor.userId ?? '', params.id, filterOf(actor.session));
        if (!isEnded) throw notFound('session');
        requireVersion(ifVersion, SESSION_VERSION);
        await audit.record(tx, actor, {
          action: 'auth.session_ended',
          resource: { type: 'session', id: params.id, name: params.id },
          metadata: { ended: 1 },
        });
        return { status: 204 };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/auth/sessions',
      access: 'session',
      whileStopped: 'always',
      tag: 'Sessions',
      summary: 'End all your other sessions',
      description: 'The session of this request stays.',
      replies: { 204: null },
      async handle({ actor, ifVersion }, tx) {
        requireVersion(ifVersion, SESSION_VERSION);
        const [userId, own] = [actor.userId ?? '', actor.session?.id ?? ''];
        const ended = await sessions.endAll(tx, userId, { ...filterOf(actor.session), except: own });
        await audit.record(tx, actor, {
          action: 'auth.session_ended',
          resource: { type: 'session', id: own, name: deviceOf(actor.userAgent) },
          metadata: { ended },
        });
        return { status: 204 };
      },
    }),
  ];
}
