import type { Context } from 'koa';
import { authorizeAgain } from './authenticate.js';
import { send } from './response.js';
import type { RouteInput, StreamRoute } from './route.js';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** An id of ours is much shorter. */
const LAST_EVENT_ID_CHARS_MAX = 100;

/** Answers a request with the events of a route, as they come: nothing on the way may keep them back. */
export async function serveEventStream(
  ctx: Context,
  route: StreamRoute,
  input: RouteInput<never, never, never>,
): Promise<void> {
  const { 'last-event-id': sent } = ctx.req.headers;
  const body = await route.open({
    ...input,
    lastEventId: sent === undefined ? null : String(sent).slice(0, LAST_EVENT_ID_CHARS_MAX),
    recheck: () => authorizeAgain(ctx, route.access),
  });
  // A compressor keeps events back until it has a block, and nginx until it has a buffer.
  ctx.compress = false;
  send(ctx, { status: 200, headers: { 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' }, body });
}
