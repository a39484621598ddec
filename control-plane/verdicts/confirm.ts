import type { ProbeCommands } from '../nodes/nodes.js';
import type { Verdict } from './verdict.js';

/**
 * Asks probes for the checks that a verdict wants now: the fast confirmation of a first failure by the other
 * locations, and the second good round of a recovery. A wish that is lost, with the process or on the way, is
 * made again by a later verdict; until then the schedule goes on. One wish has one slot, so that the answer of
 * each location is one result however often it is asked.
 */
export function askForChecks(
  commands: ProbeCommands,
  monitorId: string,
  wants: Pick<Verdict['wants'], 'confirm' | 'recheck'>,
  nowMs: number,
): void {
  if (wants.confirm.length > 0) {
    commands.runNow({ monitorId, locations: wants.confirm, slotMs: nowMs, reason: 'confirm' });
  }
  if (wants.recheck.length > 0) {
    commands.runNow({ monitorId, locations: wants.recheck, slotMs: nowMs, reason: 'recovery' });
  }
}
