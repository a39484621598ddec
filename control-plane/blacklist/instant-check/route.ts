import { actionRoute, type Route } from '../../http/route.js';
import type { NamedList } from '../monitoring/listings.js';
import { instantCheckView } from '../view.js';
import type { InstantCheck } from './check.js';
import { CheckInstantly, InstantCheckView } from './schema.js';

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
    summary: 'Check a target on all blacklists now',
    description:
      'Responds within 10 seconds and stores no history. The result may be up to 60 seconds old if the same target was checked recently; see `checked_at`. Each API key may check 10, 30 or 60 targets a minute, depending on the plan; beyond that the response is 429.',
    body: CheckInstantly,
    replies: { 200: InstantCheckView },
    handle: async ({ actor, body }) => ({
      status: 200,
      data: instantCheckView(await check(actor, body.target), lists),
    }),
  });
}
