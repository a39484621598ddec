import t from 'tap';
import { Type } from 'typebox';
import { streamRoute } from '../../../control-plane/http/route.js';
import { type ClientStream, createClientStream } from '../../../control-plane/live/streams/client-stream.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { openEvents } from '../../helpers/live/event-client.js';

/** What the sockets of both ends hold, beside what Picket keeps. */
const SOCKETS_BYTES_MAX = 32 * 1024 * 1024;
const TEXT = Buffer.from(`data: ${JSON.stringify('x'.repeat(64 * 1024))}\n\n`);

const mongo = await testDatabase();
const opened: ClientStream[] = [];
let closed = 0;
const app = await startApp({
  mongo,
  routes: [
    streamRoute({
      path: '/v1/events',
      access: 'any',
      tag: 'Events',
      summary: 'Stream',
      query: Type.Object({}, { additionalProperties: false }),
      replies: { 200: null },
      rawTypes: ['text/event-stream'],
      async open() {
        const stream = createClientStream(() => {
          closed += 1;
        });
        stream.write(Buffer.from(': hello\n\n'));
        opened.push(stream);
        return stream.body;
      },
    }),
  ],
});
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

t.test('a client that does not read is cut off before much waits for it', async (t) => {
  const client = await openEvents(app.url, app.key);
  client.pause();
  let bytes = 0;
  while (opened[0]?.write(TEXT) === true && bytes < SOCKETS_BYTES_MAX) {
    bytes += TEXT.length;
    // The response takes what the socket has room for.
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.ok(bytes < SOCKETS_BYTES_MAX, `after ${bytes} bytes`);
  client.resume();
  await client.ended;
  t.equal(closed, 1);
});

t.test('a client that reads gets everything, up to the end', async (t) => {
  const client = await openEvents(app.url, app.key);
  for (let count = 0; count < 100; count++) {
    t.equal(opened[1]?.write(TEXT), true);
    await client.next(({ type }) => type === 'message');
  }
  opened[1]?.end('event: end\ndata: {}\n\n');
  await client.next(({ type }) => type === 'end');
  await client.ended;
  t.equal(closed, 2);
});
