import type { Clock, Timer } from '../kernel/clock.js';
import type { ServerTime } from '../node-link/server-time.js';
import type { MonitorAssignment__Output } from '../proto/generated/picket/link/v1/MonitorAssignment.js';
import { createSlotHeap, type HeapEntry } from './slot-heap.js';

export type Assignment = MonitorAssignment__Output;

/** Says when which monitor is to be checked. What a check is, it does not know. */
export interface Schedule {
  /** New or changed. The first slot is the next one; a check at once is asked for with a command. */
  put(assignment: Assignment): void;
  remove(monitorId: string): void;
  size(): number;
  stop(): void;
}

export interface ScheduleEvents {
  /** A slot has come. `slotMs` is on the control plane's clock. */
  start(assignment: Assignment, slotMs: number): void;
  /** So many slots have come since the last time, those that were missed among them. */
  due(slots: number): void;
}

/**
 * A slot is run when it is at most so late. After a stall (a frozen machine, a blocked event loop) what is older
 * stays a gap: running all of it at once would be a burst that no target deserves, and tell nothing of that time.
 */
export const SLOT_LATENESS_MS_MAX = 5_000;
/**
 * Slots of different monitors that come within this begin together. Waking up for each alone costs a busy probe half
 * of its time (0.36 CPU-seconds per 1,000 checks against 0.67, docs/decisions/0007); a monitor alone is only so late.
 */
const GATHER_MS = 100;
/** Looks at the time at least as often, so that small corrections of it are followed. */
const WAIT_MS_MAX = 1_000;

interface Entry extends HeapEntry {
  assignment: Assignment;
  intervalMs: number;
}

/** The first slot after `afterMs`: slots are at k * interval + phase. */
export function slotAfter(afterMs: number, intervalMs: number, phaseMs: number): number {
  return Math.floor((afterMs - phaseMs) / intervalMs + 1) * intervalMs + phaseMs;
}

/** One heap and one timer for any number of monitors. */
export function createSchedule(options: { clock: Clock; serverTime: ServerTime; events: ScheduleEvents }): Schedule {
  const { clock, serverTime, events } = options;
  const heap = createSlotHeap<Entry>();
  const entries = new Map<string, Entry>();
  // Counted from its own start, so that the probes of all locations do not wake up in step.
  const originMs = serverTime.now();
  let timer: Timer | null = null;
  let timerFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  function arm(): void {
    const next = heap.first();
    if (stopped || next === undefined) return;
    const atMs = originMs + Math.ceil((next.dueMs - originMs) / GATHER_MS) * GATHER_MS;
    if (timer !== null && timerFor <= atMs) return;
    timer?.cancel();
    timerFor = atMs;
    timer = clock.after(Math.min(atMs - serverTime.now(), WAIT_MS_MAX), run);
  }

  function run(): void {
    timer = null;
    for (;;) {
      const entry = heap.first();
      if (stopped || entry === undefined || entry.dueMs > serverTime.now()) break;
      turn(entry);
    }
    arm();
  }

  /** Passes all slots of one monitor that have come; the newest is run unless it is too late for it. */
  function turn(entry: Entry): void {
    const now = serverTime.now();
    const slots = 1 + Math.floor((now - entry.dueMs) / entry.intervalMs);
    const newest = entry.dueMs + (slots - 1) * entry.intervalMs;
    entry.dueMs = newest + entry.intervalMs;
    heap.moved(entry);
    events.due(slots);
    if (now - newest <= SLOT_LATENESS_MS_MAX) events.start(entry.assignment, newest);
  }

  function plan(entry: Entry): void {
    entry.dueMs = slotAfter(serverTime.now(), entry.intervalMs, entry.assignment.phaseMs % entry.intervalMs);
  }

  serverTime.onStep(() => {
    for (const entry of entries.values()) {
      plan(entry);
      heap.moved(entry);
    }
    timer?.cancel();
    timer = null;
    arm();
  });

  return {
    put(assignment) {
      const intervalMs = assignment.intervalSeconds * 1000;
      const known = entries.get(assignment.monitorId);
      if (known === undefined) {
        const entry: Entry = { assignment, intervalMs, dueMs: 0, position: -1 };
        plan(entry);
        entries.set(assignment.monitorId, entry);
        heap.add(entry);
      } else {
        const sameSlots = known.intervalMs === intervalMs && known.assignment.phaseMs === assignment.phaseMs;
        known.assignment = assignment;
        known.intervalMs = intervalMs;
        if (sameSlots) return;
        plan(known);
        heap.moved(known);
      }
      arm();
    },
    remove(monitorId) {
      const entry = entries.get(monitorId);
      if (entry === undefined) return;
      entries.delete(monitorId);
      heap.remove(entry);
    },
    size: () => entries.size,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
