import type { Clock } from '../kernel/clock.js';
import type { ServerTime } from '../node-link/server-time.js';
import { type Assignment, createSlotQueue, type QueuedMonitor } from './slot-queue.js';
import { createWakeUp } from './wake-up.js';

export type { Assignment } from './slot-queue.js';

/** Decides when each monitor is checked. It does not run the checks. */
export interface Schedule {
  /** Adds or changes a monitor. Its first check is at its next slot; an immediate check is requested by a command. */
  put(assignment: Assignment): void;
  remove(monitorId: string): void;
  size(): number;
  stop(): void;
}

export interface ScheduleEvents {
  /** A slot is due. `slotMs` is a time of the control plane's clock. */
  start(assignment: Assignment, slotMs: number): void;
  /** `slots` slots of a monitor have become due, including missed ones. */
  due(slots: number): void;
}

/**
 * A slot that is later than this is not run. After a stall (a frozen machine, a blocked event loop) the missed slots
 * remain a gap: running all of them at once would be a burst of requests that says nothing about the missed time.
 */
const SLOT_LATENESS_MS_MAX = 5_000;

/** Returns a schedule that uses one queue and one timer for any number of monitors. */
export function createSchedule(needs: { clock: Clock; serverTime: ServerTime; events: ScheduleEvents }): Schedule {
  const { clock, serverTime, events } = needs;
  const queue = createSlotQueue();
  const wakeUp = createWakeUp({ clock, serverTime, run: runDueSlots });
  let stopped = false;

  function setWakeUp(): void {
    const next = queue.first();
    if (!stopped && next !== undefined) wakeUp.at(next.dueMs);
  }

  function runDueSlots(): void {
    for (;;) {
      const monitor = queue.first();
      if (stopped || monitor === undefined || monitor.dueMs > serverTime.now()) break;
      runNewestSlot(monitor);
    }
    setWakeUp();
  }

  /** Skips the due slots of a monitor except the newest, and starts that one unless it is too late. */
  function runNewestSlot(monitor: QueuedMonitor): void {
    const now = serverTime.now();
    const slots = 1 + Math.floor((now - monitor.dueMs) / monitor.intervalMs);
    const newest = monitor.dueMs + (slots - 1) * monitor.intervalMs;
    queue.postpone(monitor, newest + monitor.intervalMs);
    events.due(slots);
    if (now - newest <= SLOT_LATENESS_MS_MAX) events.start(monitor.assignment, newest);
  }

  serverTime.onStep(() => {
    queue.replan(serverTime.now());
    wakeUp.cancel();
    setWakeUp();
  });

  return {
    put(assignment) {
      queue.put(assignment, serverTime.now());
      setWakeUp();
    },
    remove: queue.remove,
    size: queue.size,
    stop() {
      stopped = true;
      wakeUp.cancel();
    },
  };
}
