import { addSlot, emptySlot, type HistorySlot } from '../../../control-plane/results/rollup/history-slot.js';
import { rolledResult } from '../../../control-plane/results/rollup/rolled-result.js';
import { HOUR_MS, MINUTE_MS, slotsOf } from '../../../control-plane/results/rollup/slots.js';
import { observedSegments, observedTime, uptimeWindow } from '../../../control-plane/results/uptime/uptime.js';
import type { History } from './history.js';

const DAY_MS = 24 * HOUR_MS;
/** After all results of a test. */
const FAR_MS = Date.UTC(2032, 0);

/** The slots of all results of a monitor by definition, rolled up at once. */
async function expectedMinutes(history: History, id: string, pausesMs: number[], throughMs: number) {
  const monitor = await history.find(id);
  const finals = (await history.results.finals('ws_history', id, 0, FAR_MS)).map(rolledResult);
  const quarantines = await history.quarantines.spans();
  const { length: assigned } = monitor.locations;
  const rule = { assigned, confirmations: monitor.confirmations, pauses_ms: pausesMs, quarantines, leftOut: () => [] };
  const segments = observedSegments(finals, rule, 0, throughMs);
  return { segments, minutes: slotsOf(finals, segments, MINUTE_MS, 0, throughMs) };
}

function plain(slots: ReadonlyMap<number, HistorySlot>): unknown[] {
  return [...slots]
    .sort(([a], [b]) => a - b)
    .map(([start, slot]) => [
      start,
      slot.observed_ms,
      slot.up_ms,
      [...slot.locations].sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
}

function hoursOf(minutes: ReadonlyMap<number, HistorySlot>, throughMs: number): Map<number, HistorySlot> {
  const hours = new Map<number, HistorySlot>();
  for (const [start, slot] of minutes) {
    const hour = start - (start % HOUR_MS);
    if (hour + HOUR_MS > throughMs) continue;
    const sum = hours.get(hour) ?? emptySlot();
    addSlot(sum, slot);
    hours.set(hour, sum);
  }
  return hours;
}

/** Asserts that the stored history equals the definition, to the microsecond. */
export async function assertRolledUp(history: History, id: string, pausesMs: number[] = []): Promise<void> {
  const owner = { workspaceId: 'ws_history', monitorId: id };
  const head = (await history.rollups.heads([id])).get(id)?.head;
  if (head === undefined) throw new Error('no head');
  const expected = await expectedMinutes(history, id, pausesMs, head.through_ms);
  const minutes = await history.rollups.minutes(owner, 0, FAR_MS);
  const hours = await history.rollups.hours(owner, 0, FAR_MS);
  const same = (name: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      throw new Error(`${name}\nfound  ${JSON.stringify(found)}\nwanted ${JSON.stringify(wanted)}`);
    }
  };
  same('minutes', plain(minutes), plain(expected.minutes));
  same('hours', plain(hours), plain(hoursOf(expected.minutes, head.through_ms)));
}

/** Asserts that the stored uptime of all windows equals the definition. */
export async function assertUptime(history: History, id: string, atMs: number, pausesMs: number[] = []): Promise<void> {
  const { uptime } = await history.find(id);
  const { segments } = await expectedMinutes(history, id, pausesMs, atMs);
  for (const [name, windowMs] of [
    ['day', DAY_MS],
    ['week', 7 * DAY_MS],
    ['month', 30 * DAY_MS],
  ] as const) {
    const wanted = uptimeWindow(observedTime(segments, atMs - windowMs, atMs), windowMs);
    const { uptime: percent, coverage, left_out_ms } = uptime?.[name] ?? {};
    const found = { uptime: percent, coverage, left_out_ms };
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      throw new Error(`${name}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
    }
  }
}
