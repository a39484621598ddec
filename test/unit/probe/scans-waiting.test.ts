import t from 'tap';
import { createScans } from '../../../probe/scan/scans.js';
import type { ScanTask__Output } from '../../../proto/generated/picket/link/v1/ScanTask.js';
import { testClock } from '../../helpers/clock.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';

t.test('a task that has waited too long is left out, because another attempt follows', async (t) => {
  const clock = testClock(0);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const scans = createScans({
    async scan({ scanId, attempt }: ScanTask__Output) {
      begun.push(scanId);
      await new Promise<void>((resolve) => ends.push(resolve));
      return { scanId, attempt };
    },
    deliver() {},
    clock,
    logger: logCollector().logger,
  });
  const request = (scanId: string) => scans.request({ scanId, attempt: 1, url: 'https://a.example/', timeoutMs: 1 });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (const id of ['1', '2', '3', '4', 'waits', 'late']) request(id);
  await settled();
  t.strictSame(begun, ['1', '2', '3', '4'], 'four run at a time');
  await clock.advance(80_000);
  ends[0]?.();
  await settled();
  t.strictSame(begun.slice(4), ['waits']);
  await clock.advance(1);
  request('new');
  ends[1]?.();
  await settled();
  t.strictSame(begun.slice(5), ['new'], 'the late one keeps no place');
  scans.stop();
  for (const end of ends) end();
});
