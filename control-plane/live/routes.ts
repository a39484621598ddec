import { EVENT_STREAM } from '../http/event-stream.js';
import { type Route, streamRoute } from '../http/route.js';
import { EventsQuery } from './schema.js';
import type { EventStreams } from './streams/streams.js';

const DESCRIPTION = `A stream of server-sent events (\`text/event-stream\`), within two seconds of each change. Events are small; read details with the API.

| event | data | needs |
| --- | --- | --- |
| \`ready\` | \`resumed\`: whether everything since the last event was sent before it, \`workspace_id\`, \`user_id\` | |
| \`monitor\` | \`id\`, \`name\`, \`status\`, \`since\` | \`monitors:read\` |
| \`server\` | \`id\`, \`name\`, \`status\`, \`since\` | \`servers:read\` |
| \`incident\` | \`id\`, \`change\` (\`opened\`, \`acknowledged\`, \`resolved\` …), \`kind\`, \`severity\`, \`resource\`, \`at\` | \`alerts:read\` |
| \`change\` | \`action\` (\`monitor.updated\`), \`resource\`, \`at\` | the scope of the resource, otherwise \`audit:read\` |
| \`reset\` | \`reason\`: \`unknown_position\` or \`many_changes\`. Read everything again | |
| \`behind\` | Events come late, until the next comment: what you have may be out of date. It comes every 5 seconds | |
| \`end\` | \`reason\`, \`detail\`, \`reconnect\`. The stream ends; connect again only if \`reconnect\` is true | |

Each event has an \`id\`. With it as \`Last-Event-ID\`, any control plane continues behind that event, without gaps or repetitions, within an hour. A comment comes every 5 seconds, or \`behind\` while events come late.`;

/** Returns the route of the event stream. */
export function eventRoutes(streams: Pick<EventStreams, 'open'>): Route[] {
  return [
    streamRoute({
      path: '/v1/events',
      access: 'any',
      tag: 'Events',
      summary: 'Stream the changes of the workspace',
      description: DESCRIPTION,
      query: EventsQuery,
      replies: { 200: null },
      rawTypes: [EVENT_STREAM],
      errors: ['insufficient_scope', 'forbidden', 'second_factor_setup_required', 'single_sign_on_required'],
      open: ({ actor, query, lastEventId, recheck }) =>
        streams.open({ actor, lastEventId: lastEventId ?? query.last_event_id ?? null, recheck }),
    }),
  ];
}
