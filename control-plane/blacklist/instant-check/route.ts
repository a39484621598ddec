import { actionRoute, type Route } from '../../http/route.js';
import type { NamedList } from '../monitoring/listings.js';
import { CheckInstantly, InstantCheckView } from '../schema.js';
import { instantCheckView } from '../view.js';
import type { InstantCheck } from './instant-check.js';

export function createInstantCheckRoute({
  check,
  lists,
}: {
  check: InstantCheck;
  /** By id. */
  lists: ReadonlyMap<string, NamedList>;
}): Route {
  return actionRoute({
    method: 'POST',
    path: '/api/v1/blacklist/instant-check',
    access: 'blacklist:write',
    tag: 'Blacklists',
    summary: 'Look a target up on every blacklist now',
    description:
      'Answers within 10 seconds and keeps nothing. A result may be up to 60 seconds old when the same target was looked up meanwhile; `checked_at` says. Each key may have 10, 30 or 60 targets looked up a minute, by plan: beyond that 429.',
    body: CheckInstantly,
    replies: { 200: InstantCheckView },
    handle: async ({ actor, body }) => ({
      status: 200,
      data: instantCheckView(await check(actor, body.target), lists),
    }),
  });
}
