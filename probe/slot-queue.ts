import { slotAfter } from '../node-link/slot-time.js';
import type { MonitorAssignment__Output } from '../proto/generated/picket/link/v1/MonitorAssignment.js';
import { createSlotHeap, type HeapEntry } from './slot-heap.js';

export type Assignment = MonitorAssignment__Output;

/** A monitor and the time of its next slot, `dueMs`, in control plane time. */
export interface QueuedMonitor extends HeapEntry {
  assignment: Assignment;
  intervalMs: number;
}

/** The monitors of a probe, ordered by their next slot. */
export interface SlotQueue {
  first(): QueuedMonitor | undefined;
  /** Adds or changes a monitor. A change keeps the next slot, unless it changes the interval or the phase. */
  put(assignment: Assignment, nowMs: number): void;
  remove(monitorId: string): void;
  /** Sets the next slot of one monitor. */
  postpone(monitor: QueuedMonitor, dueMs: number): void;
  /** Sets the next slot of every monitor to its first one after `nowMs`. */
  replan(nowMs: number): void;
  size(): number;
}

export function createSlotQueue(): SlotQueue {
  const heap = createSlotHeap<QueuedMonitor>();
  const monitors = new Map<string, QueuedMonitor>();

  function postpone(monitor: QueuedMonitor, dueMs: number): void {
    monitor.dueMs = dueMs;
    heap.moved(monitor);
  }

  return {
    first: heap.first,
    put(assignment, nowMs) {
      const intervalMs = assignment.intervalSeconds * 1000;
      const monitor = monitors.get(assignment.monitorId);
      if (monitor === undefined) {
        const added = { assignment, intervalMs, dueMs: nextSlot(assignment, intervalMs, nowMs), position: -1 };
        monitors.set(assignment.monitorId, added);
        heap.add(added);
        return;
      }
      const sameSlots = monitor.intervalMs === intervalMs && monitor.assignment.phaseMs === assignment.phaseMs;
      monitor.assignment = assignment;
      monitor.intervalMs = intervalMs;
      if (!sameSlots) postpone(monitor, nextSlot(assignment, intervalMs, nowMs));
    },
    remove(monitorId) {
      const monitor = monitors.get(monitorId);
      if (monitor === undefined) return;
      monitors.delete(monitorId);
      heap.remove(monitor);
    },
    postpone,
    replan(nowMs) {
      for (const monitor of monitors.values()) {
        postpone(monitor, nextSlot(monitor.assignment, monitor.intervalMs, nowMs));
      }
    },
    size: () => monitors.size,
  };
}

function nextSlot(assignment: Assignment, intervalMs: number, nowMs: number): number {
  return slotAfter(nowMs, intervalMs, assignment.phaseMs % intervalMs);
}
