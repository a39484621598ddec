import { mutationRoute, type Route } from '../http/route.js';
import { type RevokeNeeds, revokeLinks } from './revoke.js';
import { RevokedLinks, RevokeLinks } from './schema.js';

/** Returns the routes of `/v1/on-call-links`. The links themselves are in notifications and nowhere else. */
export function onCallRoutes(needs: RevokeNeeds): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/on-call-links/revoke',
      access: 'full',
      tag: 'Channels',
      summary: 'Revoke the links in notifications',
      description:
        'A notification of a firing incident has a link with which its receivers acknowledge and silence the incident for 24 hours, without logging in. Afterwards, no link that was sent until now works; later notifications have links that do.',
      body: RevokeLinks,
      bodyOptional: true,
      replies: { 200: RevokedLinks },
      errors: ['not_found'],
      handle: async ({ actor, body }, tx) => ({ status: 200, data: await revokeLinks(needs, tx, actor, body) }),
    }),
  ];
}
