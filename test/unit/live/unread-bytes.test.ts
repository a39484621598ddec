import { Registry } from 'prom-client';
import t from 'tap';
import { createBroadcast } from '../../../control-plane/live/broadcast.js';
import { createLiveMetrics } from '../../../control-plane/live/metrics.js';
import { createRecentEvents } from '../../../control-plane/live/recent-events.js';
import { createClientStream } from '../../../control-plane/live/streams/client-stream.js';
import { ALL_UNREAD_BYTES_MAX, createUnreadBytes } from '../../../control-plane/live/streams/unread-bytes.js';
import { createSubscribers, STREAM_LIMITS, type Subscriber } from '../../../control-plane/live/subscribers.js';
import { systemClock } from '../../../kernel/clock.js';

const WORKSPACE = 'ws_1';
/** Together, one burst of events for them is more than may wait. */
const STREAMS = 200;
const READING = 20;

t.test('the slowest clients are ended first, and no more than needed', (t) => {
  const streams = [10, 40, 30, 20].map((bytes) => {
    const stream = createClientStream(() => {});
    stream.write(Buffer.alloc(bytes));
    return stream;
  });
  let cuts = 0;
  const unread = createUnreadBytes({
    streams: () => streams,
    bytesMax: 60,
    onCut: () => {
      cuts += 1;
    },
  });
  unread.written(50);
  t.equal(cuts, 0);
  unread.written(50);
  t.same(
    streams.map((stream) => stream.unreadBytes()),
    [10, 0, 30, 20],
  );
  t.equal(cuts, 1);
  t.end();
});

t.test('what was read does not count', (t) => {
  const stream = createClientStream(() => {});
  const unread = createUnreadBytes({ streams: () => [stream], bytesMax: 100, onCut: () => t.fail('nothing waits') });
  for (let count = 0; count < 50; count++) {
    stream.write(Buffer.alloc(20));
    unread.written(20);
    stream.body.read();
  }
  t.notOk(stream.body.destroyed);
  t.end();
});

t.test('what waits for all clients of a control plane is bounded, and clients that read lose nothing', async (t) => {
  const subscribers = createSubscribers(STREAM_LIMITS);
  const recent = createRecentEvents();
  recent.beginAfter(0);
  const metrics = createLiveMetrics(new Registry(), subscribers.size);
  let cuts = 0;
  const cutOff = () => {
    cuts += 1;
  };
  const counted = { ...metrics, cutOff };
  const broadcast = createBroadcast({ subscribers, recent, metrics: counted, clock: systemClock });
  const got: number[] = [];
  const all = Array.from({ length: STREAMS }, (_, index): Subscriber => {
    const subscriber: Subscriber = {
      ...{ workspaceId: WORKSPACE, plan: 'Pro', credential: `key_${index}`, userId: null, address: '127.0.0.1' },
      ...{ scopes: new Set(['monitors:read'] as const), endsMs: Number.POSITIVE_INFINITY },
      stream: createClientStream(() => subscribers.remove(subscriber)),
      recheck: () => Promise.reject(new Error('not used')),
    };
    subscribers.add(subscriber);
    broadcast.greet(subscriber, null);
    return subscriber;
  });
  for (const { stream } of all.slice(0, READING)) stream.body.on('data', (part) => got.push(part.length));
  await new Promise((resolve) => setImmediate(resolve));
  const entries = Array.from({ length: 199 }, (_, index) => ({
    ...{ key: `tle_${index}`, workspace_id: WORKSPACE, ends_access: false },
    event: { type: 'monitor', scope: 'monitors:read', data: { name: 'x'.repeat(1_000) } } as const,
  }));
  recent.add({ _id: 1, at: new Date(0), covered_ms: 0, entries });
  broadcast.flush();
  const waiting = all.reduce((sum, { stream }) => sum + stream.unreadBytes(), 0);
  t.ok(waiting > 0 && waiting <= ALL_UNREAD_BYTES_MAX, `${waiting} bytes wait`);
  const ended = all.filter(({ stream }) => stream.body.destroyed);
  t.ok(ended.length > 0 && ended.length < STREAMS / 2);
  t.equal(cuts, ended.length, `${ended.length} ended`);
  t.notOk(ended.some((one) => all.indexOf(one) < READING));
  t.ok(got.filter((bytes) => bytes > 199_000).length === READING, 'those that read have all of it');
});
