import { appendFileSync } from 'node:fs';

/** What a fault scene counted. `expected` and `seen` are of the things that the scene is about: results, samples, notifications. */
export interface FaultCount {
  fault: string;
  of: string;
  expected: number;
  seen: number;
  lost: number;
  doubled: number;
  /** Notifications about a problem that did not exist. */
  falsePages: number;
}

/** Hands the counts of a scene to scripts/faults, which sets the file of its report. Does nothing in other runs. */
export function reportFault(count: FaultCount): void {
  const file = process.env['PICKET_FAULT_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(count)}\n`);
}
