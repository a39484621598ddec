import { text } from 'node:stream/consumers';
import t from 'tap';
import type { SeriesBlock } from '../../../control-plane/servers/history/series-block.js';
import { seriesJson } from '../../../control-plane/servers/history/series-json.js';

const START = Date.UTC(2031, 0, 31, 12);

function blockOf(series: number, slots: number): SeriesBlock {
  const times = Array.from({ length: slots }, (_, slot) => START + slot * 1_000);
  const counts = times.map(() => 1);
  const sums = Float64Array.from(times, (_, slot) => slot * 100);
  const named = Array.from(
    { length: series },
    (_, index) => [`disk_used_percent:/d${index}`, { counts, sums }] as const,
  );
  return { times, counts, series: new Map(named) };
}

const answer = (blocks: SeriesBlock[], named: string[] = []) => ({
  ...{ serverId: 'srv_1', resolution: 'raw' as const, blocks, named },
  ...{ fromMs: START, toMs: START + 10_000_000 },
});

t.test('named series come first, also without points, and the others sorted', async (t) => {
  const body = await text(seriesJson(answer([blockOf(2, 2)], ['cpu_percent', 'disk_used_percent:/d1'])));
  t.equal(
    body,
    JSON.stringify({
      data: {
        server_id: 'srv_1',
        resolution: 'raw',
        series: {
          cpu_percent: [],
          'disk_used_percent:/d1': [
            { t: '2031-01-31T12:00:00.000Z', v: 0 },
            { t: '2031-01-31T12:00:01.000Z', v: 1 },
          ],
          'disk_used_percent:/d0': [
            { t: '2031-01-31T12:00:00.000Z', v: 0 },
            { t: '2031-01-31T12:00:01.000Z', v: 1 },
          ],
        },
      },
    }),
  );
});

t.test('other work runs while half a million points are written', async (t) => {
  let turns = 0;
  let isWriting = true;
  const count = () => {
    turns++;
    if (isWriting) setImmediate(count);
  };
  setImmediate(count);
  const body = await text(seriesJson(answer([blockOf(600, 800)])));
  isWriting = false;
  t.ok(body.length > 19_000_000, `${body.length} characters`);
  t.ok(turns > 40, `${turns} turns of the event loop`);
});
