import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import type { WindowDocument } from '../../../control-plane/maintenance/documents.js';
import { eventsOf } from '../../../control-plane/maintenance/feed/events.js';

const AT = Date.UTC(2031, 0, 31);
const WINDOWS = 50;

t.test('others go on between two windows of a calendar', async (t) => {
  const windows = Array.from({ length: WINDOWS }, (_, index) => yearly(`mnt_${index}`));
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  const events = await eventsOf(windows, 'https://picket.test', AT);
  isOver = true;
  await others;
  t.equal(events.length, WINDOWS, 'each has its one occurrence');
  t.ok(turns >= WINDOWS, `${turns} turns`);
});

function yearly(_id: string): WindowDocument {
  return {
    ...{ _id, workspace_id: 'ws_1', name: 'Yearly', everything: true, monitor_ids: [], server_ids: [], tags: [] },
    ...{
      starts_at_ms: Date.UTC(2020, 0, 1),
      ends_at_ms: null,
      extension: null,
      cut: null,
      version: 1,
      updated_at_ms: 1,
    },
    recurrence: {
      cron: null,
      rrule: 'FREQ=YEARLY;COUNT=100;BYMONTH=2;BYMONTHDAY=14',
      time_zone: 'Etc/UTC',
      duration_minutes: 60,
    },
  } as unknown as WindowDocument;
}
