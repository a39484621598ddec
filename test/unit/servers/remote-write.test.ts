import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';
import { uncompress } from 'snappyjs';
import t from 'tap';
import { createRemoteWrite } from '../../../control-plane/servers/prometheus/remote-write.js';
import { createEncodeWriteRequest } from '../../../control-plane/servers/prometheus/remote-write-request.js';
import type { AcceptedSample } from '../../../control-plane/servers/servers.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';
import { waitFor } from '../../helpers/wait.js';

/** The messages of the remote-write specification, independent of the product's code. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message WriteRequest { repeated TimeSeries timeseries = 1; }
  message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }
`);
const WriteRequest = root.lookupType('WriteRequest');
/** The limit of the queue. */
const QUEUED_VALUES_MAX = 500_000;

type Teardown = Pick<typeof t, 'teardown'>;

interface Received {
  authorization: string | undefined;
  type: string | undefined;
  encoding: string | undefined;
  series: { labels: Record<string, string>; samples: { value: number; timestamp: number }[] }[];
}

/** Starts a receiver that responds with each of `statuses`, then with 204. */
async function receiver(t: Teardown, ...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = WriteRequest.toObject(WriteRequest.decode(uncompress(Buffer.concat(chunks))), { longs: Number });
      const series = (message['timeseries'] ?? []).map(
        (one: { labels: { name: string; value: string }[]; samples: Received['series'][number]['samples'] }) => ({
          labels: Object.fromEntries(one.labels.map(({ name, value }) => [name, value])),
          names: one.labels.map(({ name }) => name),
          samples: one.samples,
        }),
      );
      const { authorization, 'content-type': type, 'content-encoding': encoding } = request.headers;
      received.push({ authorization, type, encoding, series });
      response.statusCode = statuses.shift() ?? 204;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/write` };
}

function remoteWrite(t: Teardown, url: string) {
  const clock = testClock();
  const fetch = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock: systemClock });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const writer = createRemoteWrite({
    url,
    authorization: 'Bearer secret',
    encode: createEncodeWriteRequest(),
    fetch,
    clock,
    logger,
  });
  t.teardown(() => fetch.close());
  writer.start();
  return { clock, writer };
}

const sample = (atMs: number, values: Record<string, number>, serverId = 'srv_1'): AcceptedSample => ({
  serverId,
  workspaceId: 'ws_1',
  atMs,
  receivedAtMs: atMs,
  late: false,
  values: new Map(Object.entries(values)),
});

t.test('every value arrives with its name, its labels and its time', async (t) => {
  const { received, url } = await receiver(t);
  const { clock, writer } = remoteWrite(t, url);
  writer.accepted([
    sample(2_000, { cpu_percent: 2.5, 'disk_used_percent:/var': 70 }),
    sample(1_000, { cpu_percent: 1 }),
  ]);
  await clock.advance(5_000);
  await waitFor('the request', 5_000, async () => writer.counts().sent === 3);
  t.match(received, [
    { authorization: 'Bearer secret', type: 'application/x-protobuf', encoding: 'snappy', series: { length: 2 } },
  ]);
  t.strictSame(received[0]?.series, [
    {
      labels: { __name__: 'picket_server_cpu_percent', server: 'srv_1', workspace: 'ws_1' },
      names: ['__name__', 'server', 'workspace'],
      samples: [
        { value: 1, timestamp: 1_000 },
        { value: 2.5, timestamp: 2_000 },
      ],
    },
    {
      labels: {
        __name__: 'picket_server_device_disk_used_percent',
        mountpoint: '/var',
        server: 'srv_1',
        workspace: 'ws_1',
      },
      names: ['__name__', 'mountpoint', 'server', 'workspace'],
      samples: [{ value: 70, timestamp: 2_000 }],
    },
  ]);
  await writer.stop();
});

t.test('an unreachable receiver gets the values later; a refusal does not stop the others', async (t) => {
  const { received, url } = await receiver(t, 503, 429, 400);
  const { clock, writer } = remoteWrite(t, url);
  writer.accepted([sample(1_000, { load_1: 1 })]);
  for (const attempts of [1, 2, 3]) {
    await waitFor(`attempt ${attempts}`, 5_000, async () => {
      await clock.advance(1_000);
      return received.length >= attempts;
    });
  }
  await waitFor('the refusal', 5_000, async () => writer.counts().dropped === 1);
  writer.accepted([sample(2_000, { load_1: 2 })]);
  await waitFor('the next request', 5_000, async () => {
    await clock.advance(1_000);
    return writer.counts().sent === 1;
  });
  t.match(writer.counts(), { sent: 1, dropped: 1, queued: 0 });
  await writer.stop();
});

t.test('the queue is limited, and the oldest values are dropped', async (t) => {
  const { clock, writer } = remoteWrite(t, 'http://127.0.0.1:9/');
  const values = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`disk_used_percent:/${n}`, n]));
  for (let at = 0; at < QUEUED_VALUES_MAX / 500 + 10; at++) writer.accepted([sample(at, values)]);
  t.match(writer.counts(), { queued: QUEUED_VALUES_MAX, dropped: 5_000, sent: 0 });
  await clock.advance(1_000);
  await writer.stop();
});

/** Returns the lengths of the arrays whose elements `work` moves by removing others, added up. */
function movedBy(work: () => void): number {
  const { shift, splice } = Array.prototype;
  let moved = 0;
  Array.prototype.shift = function () {
    moved += this.length;
    return shift.call(this);
  };
  Array.prototype.splice = function (...args: Parameters<typeof splice>) {
    moved += this.length;
    return splice.apply(this, args);
  };
  try {
    work();
  } finally {
    Object.assign(Array.prototype, { shift, splice });
  }
  return moved;
}

t.test('a full queue takes new samples with work proportional to their number', async (t) => {
  const { writer } = remoteWrite(t, 'http://127.0.0.1:9/');
  let reads = 0;
  const values = new (class extends Map<string, number> {
    override get size() {
      reads++;
      return super.size;
    }
  })([['load_1', 1]]);
  const batch = (atMs: number) => Array.from({ length: 5_000 }, (_, n) => ({ ...sample(atMs + n, {}), values }));
  for (let at = 0; at < QUEUED_VALUES_MAX; at += 5_000) writer.accepted(batch(at));
  const next = batch(QUEUED_VALUES_MAX);
  reads = 0;
  const moved = movedBy(() => writer.accepted(next));
  t.ok(moved > 0 && moved <= QUEUED_VALUES_MAX + 5_000, `the queue is moved once for a batch: ${moved} elements`);
  t.ok(reads >= 5_000 && reads <= 4 * 5_000, `${reads} reads of a number of values`);
  t.match(writer.counts(), { queued: QUEUED_VALUES_MAX, dropped: 5_000 });
});

t.test('stop sends the queued values', async (t) => {
  const { received, url } = await receiver(t);
  const { writer } = remoteWrite(t, url);
  writer.accepted([sample(1_000, { load_1: 1 })]);
  await writer.stop();
  t.equal(received.length, 1);
});
