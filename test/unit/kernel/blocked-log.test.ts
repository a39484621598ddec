import t from 'tap';
import { createBlockedLog } from '../../../kernel/guard/blocked-log.js';

t.test('a refused address is in the log once an hour for each host', async (t) => {
  const lines: object[] = [];
  let nowMs = 0;
  const log = createBlockedLog({ info: (fields: object) => void lines.push(fields) }, { monotonic: () => nowMs });
  const refusal = '10.0.0.1 is a private address';
  log('vm', refusal);
  log('vm', refusal);
  log('other', refusal);
  log('vm', '10.0.0.2 is a private address');
  t.same(lines, [
    { host: 'vm', refusal },
    { host: 'other', refusal },
    { host: 'vm', refusal: '10.0.0.2 is a private address' },
  ]);
  nowMs = 3_600_000;
  log('vm', refusal);
  t.equal(lines.length, 4);
  for (let index = 0; index < 1_000; index++) log(`host-${index}`, refusal);
  log('vm', refusal);
  t.equal(lines.length, 1_005, 'it remembers a thousand of them');
});
