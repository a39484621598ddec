import type { MonitorLookup } from '../../monitors/monitors.js';
import { hoursExpireAt, minutesExpireAt } from '../../retention/retention.js';
import type { HistoryOwner } from './documents.js';
import { addSlot, emptySlot, type HistorySlot } from './history-slot.js';
import type { HourWrite } from './hours.js';
import { unpackSlot } from './packed-slots.js';
import { floorTo } from './slots.js';
import type { RollupStore } from './store.js';

const DAY_MS = 86_400_000;

interface MonitorHours {
  owner: HistoryOwner;
  monitor: MonitorLookup;
  hours: readonly HourWrite[];
}

/** Writes the minutes of these hours, and the hour slots of those that are complete. */
export type WriteHours = (rolled: readonly MonitorHours[], fence: number) => Promise<void>;

type HourSlotWrite = Parameters<RollupStore['saveHours']>[0][number];

export function createWriteHours(store: Pick<RollupStore, 'saveMinutes' | 'saveHours' | 'hourDocuments'>): WriteHours {
  return async (rolled, fence) => {
    const minutes = rolled.flatMap(({ owner, monitor, hours }) =>
      hours
        .filter((hour) => hour.minutes.size > 0 || hour.opening !== null)
        .map((hour) => ({ ...owner, hour, expiresAt: minutesExpireAt(monitor.plan, hour.hour_ms) })),
    );
    await store.saveMinutes(minutes, fence);
    await store.saveHours([...slotsInMemory(rolled), ...(await slotsFromStore(store, rolled))], fence);
  };
}

/** Returns the hour slots of complete hours whose minutes are all in memory. */
function slotsInMemory(rolled: readonly MonitorHours[]): HourSlotWrite[] {
  return rolled.flatMap(({ owner, monitor, hours }) =>
    hours
      .filter((hour) => hour.complete && hour.whole)
      .map((hour) => hourSlot(owner, monitor, hour.hour_ms, sumOf(hour.minutes.values()))),
  );
}

/** Returns the hour slots of the other complete hours, from their stored minutes. */
async function slotsFromStore(
  store: Pick<RollupStore, 'hourDocuments'>,
  rolled: readonly MonitorHours[],
): Promise<HourSlotWrite[]> {
  const wanted = rolled.flatMap(({ owner, monitor, hours }) =>
    hours
      .filter((hour) => hour.complete && !hour.whole)
      .map((hour) => ({ owner, monitor, monitorId: owner.monitorId, hourMs: hour.hour_ms })),
  );
  if (wanted.length === 0) return [];
  const found = await store.hourDocuments(wanted);
  const documents = new Map(found.map((document) => [`${document.monitor_id}/${document.start_ms}`, document]));
  return wanted.flatMap(({ owner, monitor, monitorId, hourMs }) => {
    const document = documents.get(`${monitorId}/${hourMs}`);
    if (document === undefined) return [];
    return [hourSlot(owner, monitor, hourMs, sumOf(Object.values(document.slots ?? {}).map(unpackSlot)))];
  });
}

function hourSlot(owner: HistoryOwner, monitor: MonitorLookup, hourMs: number, sum: HistorySlot): HourSlotWrite {
  const slot = sum.observed_ms + sum.left_out_ms === 0 && sum.locations.size === 0 ? null : sum;
  return { ...owner, hourMs, slot, expiresAt: hoursExpireAt(monitor.plan, floorTo(hourMs, DAY_MS)) };
}

function sumOf(slots: Iterable<HistorySlot | null>): HistorySlot {
  const sum = emptySlot();
  for (const slot of slots) if (slot !== null) addSlot(sum, slot);
  return sum;
}
