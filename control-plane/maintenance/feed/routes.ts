import { toIso } from '../../../kernel/clock.js';
import { notFound } from '../../errors.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { StandingOf } from '../../plans/cache.js';
import { calendarText } from '../calendar.js';
import type { WindowStore } from '../store.js';
import { AHEAD_DAYS, eventsOf, PAST_DAYS } from './events.js';
import { createFeed, type FeedNeeds, revokeFeed } from './operations.js';
import { CreatedFeed, CreateFeed, Feed, FeedId, FeedQuery } from './schema.js';
import type { ListedFeed } from './store.js';
import { feedTokenHash } from './token.js';

const TAG = 'Maintenance';
const LIST_PATH = '/v1/maintenance-feeds';
const CALENDAR_PATH = '/v1/maintenance-feeds/calendar.ics';
const DAY_MS = 86_400_000;
const CALENDAR_NAME = 'Maintenance';

interface FeedRouteNeeds extends FeedNeeds {
  store: Pick<WindowStore, 'notOver'>;
  guesses: Pick<GuessLimit, 'check'>;
  standingOf: StandingOf;
  /** Without a slash at the end. */
  publicUrl: string;
}

export function createFeedRoutes(needs: FeedRouteNeeds): Route[] {
  return [calendarRoute(needs), ...manageRoutes(needs)];
}

/** Whoever has the address reads it. An address that was revoked and one that never existed give the same 404. */
function calendarRoute({ feeds, store, guesses, standingOf, publicUrl, clock }: FeedRouteNeeds): Route {
  return readRoute({
    access: 'public',
    tag: TAG,
    method: 'GET',
    path: CALENDAR_PATH,
    summary: 'Read planned maintenance as a calendar',
    description: `For calendar programs (RFC 5545): the occurrences of the last ${PAST_DAYS} and the next ${AHEAD_DAYS} days. The address is that of a feed; whoever has it needs no other credential.`,
    query: FeedQuery,
    replies: { 200: null },
    rawTypes: ['text/calendar'],
    errors: ['not_found'],
    async handle({ query, client }) {
      const feed = await guesses.check(client.ip, () => feeds.findByHash(feedTokenHash(query.token)));
      if (feed === null || (await standingOf(feed.workspace_id))?.stopped !== false) throw notFound('calendar feed');
      const nowMs = clock.now();
      const sinceMs = nowMs - PAST_DAYS * DAY_MS;
      const windows = await store.notOver([feed.workspace_id], sinceMs, sinceMs);
      const body = calendarText({ name: CALENDAR_NAME, events: await eventsOf(windows, publicUrl, nowMs) });
      return { status: 200, raw: { type: 'text/calendar; charset=utf-8', body, filename: 'maintenance.ics' } };
    },
  });
}

function manageRoutes(needs: FeedRouteNeeds): Route[] {
  const base = { access: 'maintenance:write', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      method: 'GET',
      path: LIST_PATH,
      summary: 'List calendar feeds of maintenance, newest first',
      description: 'All of them, without their addresses, which are not stored.',
      replies: { 200: Feed },
      list: true,
      async handle({ actor }) {
        const found = await needs.feeds.list(actor.workspaceId);
        return { status: 200, data: found.map(feedView), nextCursor: null };
      },
    }),
    mutationRoute({
      ...base,
      method: 'POST',
      confirmedEmail: true,
      path: LIST_PATH,
      summary: 'Create a calendar feed of maintenance',
      description:
        'The response has the address, which nobody can read again. It works until it is revoked, or until its creator may not change maintenance any more.',
      body: CreateFeed,
      replies: { 201: CreatedFeed },
      errors: ['conflict'],
      async handle({ actor, body }, tx) {
        const { feed, token } = await createFeed(needs, tx, actor, body.name);
        const data = { ...feedView(feed), url: `${needs.publicUrl}${CALENDAR_PATH}?token=${token}` };
        return { status: 201, data, location: `${LIST_PATH}/${feed._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/maintenance-feeds/{id}',
      summary: 'Revoke a calendar feed of maintenance',
      params: FeedId,
      replies: { 204: null },
      async handle({ actor, params }, tx) {
        await revokeFeed(needs, tx, actor, params.id);
        return { status: 204 };
      },
    }),
  ];
}

function feedView({ _id, name, created_by, created_at_ms }: ListedFeed): Feed {
  return { id: _id, name, created_by, created_at: toIso(created_at_ms) };
}
