import type { ProbeCommands } from '../../nodes/nodes.js';
import type { Verdict } from '../rule/verdict.js';

/**
 * Requests the checks of a verdict from the probes: the fast confirmation of a first failure, and the second good round
 * of a recovery. If a request is lost, a later verdict repeats it; the scheduled checks go on meanwhile. All locations
 * get the same slot, so that each has one result however often the request is repeated.
 */
export function requestChecks(
  commands: ProbeCommands,
  monitorId: string,
  requests: Verdict['requests'],
  slotMs: number,
): void {
  if (requests.confirm.length > 0) {
    commands.runNow({ monitorId, locations: requests.confirm, slotMs, reason: 'confirm' });
  }
  if (requests.recheck.length > 0) {
    commands.runNow({ monitorId, locations: requests.recheck, slotMs, reason: 'recovery' });
  }
}
