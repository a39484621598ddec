import { Writable } from 'node:stream';
import { pino } from 'pino';
import t from 'tap';
import { createLockedMonitors } from '../../../control-plane/verdicts/evaluate/locked-monitors.js';
import { StatesTimeout } from '../../../control-plane/verdicts/store.js';

t.test('a failed evaluation of a locked monitor is logged once, however many sweeps have joined it', async (t) => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  let isLocked = true;
  const evaluate = async (ids: readonly string[]) =>
    new Map(isLocked ? ids.map((id) => [id, new StatesTimeout(new Set(), null)]) : []);
  const locked = createLockedMonitors(
    { store: { lockedAmong: async () => new Set() }, logger: pino(stream) },
    evaluate,
  );
  const warnings = () => lines.filter((line) => line.includes('evaluation of a locked monitor failed')).length;
  await locked.among(['mon_1']);

  for (let sweep = 0; sweep < 10; sweep++) t.same(locked.setApart(['mon_1', 'mon_2']), ['mon_2']);
  await locked.idle();
  t.equal(warnings(), 1);
  locked.setApart(['mon_1']);
  await locked.idle();
  t.equal(warnings(), 2, 'each run');

  isLocked = false;
  locked.setApart(['mon_1']);
  await locked.idle();
  t.same(locked.setApart(['mon_1']), ['mon_1']);
  t.equal(warnings(), 2);
});
