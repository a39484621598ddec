import type { MonitorDocument } from '../monitors/documents.js';

/** Brings the states and incidents of monitors in line with their newest results. */
export interface Evaluator {
  /**
   * Evaluates each monitor as it is stored now. Throws when one of them could not be evaluated. Does not wait for monitors
   * that are known to be locked by a dead process, which are evaluated later.
   */
  evaluate(monitorIds: readonly string[]): Promise<void>;
  /** Whether a monitor that was just read needs `evaluate`. Writes nothing. */
  isDue(monitor: MonitorDocument): boolean;
  /** Stops the timers and resolves when no evaluation is running, or after a second. */
  stop(): Promise<void>;
}

/** A location whose votes are ignored, for `/v1/admin/locations` and `/metrics`. */
export interface QuarantinedLocation {
  location: string;
  since_ms: number;
  /** Monitors that failed there, and all monitors of the location, when the quarantine began. */
  failing: number;
  monitors: number;
}
