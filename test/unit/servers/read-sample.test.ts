import t from 'tap';
import { sampleMessage } from '../../../control-plane/servers/samples/message.js';
import { LATE_MS, readSample } from '../../../control-plane/servers/samples/read-sample.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';

const NOW = 1_700_000_000_000;
const VALUES = new Map([
  ['cpu_percent', 12],
  ['disk_used_percent:/var', 71.5],
]);
const SERVER = { nodeId: 'srv_1', kind: 'agent', workspaceId: 'ws_1' } as const;

t.test('a late sample keeps its message only, and decodes its values once they are read', (t) => {
  const codec = loadMetricSampleCodec();
  let decoded = 0;
  const counting = {
    ...codec,
    decode(bytes: Uint8Array) {
      decoded += 1;
      return codec.decode(bytes);
    },
  };
  const read = (atMs: number) => readSample(counting, SERVER, codec.encode(sampleMessage(atMs, VALUES)), NOW);
  const late = read(NOW - LATE_MS - 1);
  t.match(late, { late: true, atMs: NOW - LATE_MS - 1, valuesDropped: 0 });
  decoded = 0;
  t.same([late?.values, late?.values], [VALUES, VALUES]);
  t.equal(decoded, 1, 'at the first time');
  const current = read(NOW - LATE_MS);
  t.match(current, { late: false });
  decoded = 0;
  t.same(current?.values, VALUES);
  t.equal(decoded, 0, 'rules read those of current samples at once');
  t.end();
});
