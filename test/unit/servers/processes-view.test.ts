import t from 'tap';
import { processesView } from '../../../control-plane/servers/details/view.js';

t.test('times that no calendar has, from an agent that sends anything, do not break the view', async (t) => {
  for (const ms of [9_000_000_000_000_000_000, -9_000_000_000_000_000_000, 8_640_000_000_000_001]) {
    const process = { pid: 1, name: 'x', user: 'y', cpuPercent: 1, memoryBytes: 1, memoryPercent: 1, startedAtMs: ms };
    const view = processesView('srv_1', { nonce: 1, atMs: ms, total: 1, byCpu: [process], byMemory: [] });
    t.match(view, { sampled_at: '1970-01-01T00:00:00.000Z', by_cpu: [{ pid: 1, started_at: null }] }, `${ms}`);
  }
});
