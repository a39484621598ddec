import t from 'tap';
import { createRecordSamples } from '../../../control-plane/servers/samples/record.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { BATCH_BYTES_MAX, SAMPLE_VALUES_MAX } from '../../../proto/limits.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import { encodeSample } from '../../helpers/servers/history.js';

const MINUTE_MS = 60_000;
/** Batches that are decoded at the same time, each of a server of its own. */
const BATCHES = 3;

/** Returns in which passes of the event loop the samples are decoded, one number for each sample. */
async function passesOf(samples: readonly Uint8Array[]): Promise<number[]> {
  let pass = 0;
  let timer = setImmediate(function count() {
    pass += 1;
    timer = setImmediate(count);
  });
  const passes: number[] = [];
  const codec = loadMetricSampleCodec();
  const decode: typeof codec.decode = (bytes) => {
    passes.push(pass);
    return codec.decode(bytes);
  };
  const handler = createRecordSamples({
    codec: { ...codec, decode },
    samples: { insert: async () => {} },
    store: {
      updateLive: async (updates) => ({ matched: updates.length, locked: new Set() }),
      statuses: async () => new Map(),
      addDropped: async () => new Set(),
    },
    changes: { transition: async () => true },
    listener: { accepted() {} },
    metrics: { samplesRefused() {} },
    planOf: async () => 'Enterprise',
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const records = samples.map((bytes, index) => ({ seq: index + 1, bytes }));
  const accepted = Array.from({ length: BATCHES }, (_, index) =>
    handler.accept({ nodeId: `srv_${index}`, kind: 'agent', workspaceId: 'ws_1' }, records, Date.now()),
  );
  await Promise.all(accepted);
  clearImmediate(timer);
  return passes;
}

t.test('large batches are decoded in parts, one part in each pass of the event loop', async (t) => {
  const wide = (atMs: number) =>
    encodeSample(
      atMs,
      Object.fromEntries(Array.from({ length: SAMPLE_VALUES_MAX }, (_, n) => [`disk_read_rate:sd-${n}`, n * 1e9])),
    );
  const count = Math.floor(BATCH_BYTES_MAX / wide(Date.now()).length);
  const passes = await passesOf(Array.from({ length: count }, (_, at) => wide(Date.now() - at * MINUTE_MS)));
  t.equal(passes.length, BATCHES * count);
  const most = Math.max(...[...new Set(passes)].map((pass) => passes.filter((one) => one === pass).length));
  t.ok(most <= (BATCHES * count) / 8, `${most} of ${passes.length} samples in one pass`);
});

t.test('small batches are decoded at once', async (t) => {
  const passes = await passesOf([encodeSample(Date.now(), { load_1: 1 })]);
  t.equal(new Set(passes).size, 1);
});
