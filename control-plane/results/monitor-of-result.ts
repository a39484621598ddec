import type { MonitorDirectory, MonitorLookup } from '../monitors/monitors.js';
import type { AssignedSlots, ProbeIdentity } from '../nodes/nodes.js';
import { keptMs } from '../retention/retention.js';
import type { DecodedResult } from './decode.js';
import type { RefusalKind } from './metrics.js';

export interface Refusal {
  kind: RefusalKind;
  reason: string;
}

/** Finds the monitors of results, if the probe may deliver results of them. */
export interface MonitorsOfResults {
  /** Call it before the others, because a refusal is final: updates what is known, if it does not allow all results. */
  refresh(node: ProbeIdentity, results: readonly DecodedResult[]): Promise<void>;
  /** Returns the monitor of a result, or why the result is refused. */
  of(node: ProbeIdentity, result: DecodedResult, receivedAtMs: number): MonitorLookup | Refusal;
}

export function createMonitorsOfResults(needs: {
  directory: Pick<MonitorDirectory, 'lookup' | 'refresh'>;
  assigned: AssignedSlots;
}): MonitorsOfResults {
  const { directory, assigned } = needs;

  /** The directory is a cache and may be older than the result. */
  async function refreshUnknownMonitors(node: ProbeIdentity, results: readonly DecodedResult[]): Promise<void> {
    const unknown = new Set<string>();
    for (const { monitorId } of results) {
      if (directory.lookup(monitorId)?.locations.includes(node.location) !== true) unknown.add(monitorId);
    }
    if (unknown.size > 0) await directory.refresh([...unknown]);
  }

  /** The probe may have taken over the monitor of a probe that left another control plane a moment ago. */
  async function refreshAssignments(node: ProbeIdentity, results: readonly DecodedResult[]): Promise<void> {
    await assigned.ready(node.nodeId);
    if (!results.every((result) => isAssigned(node, result))) await assigned.refresh();
  }

  /** Both times count: a new check of an old slot would replace the latest result of the probe that has the monitor. */
  function isAssigned({ nodeId }: ProbeIdentity, { monitorId, slotMs, checkedAtMs }: DecodedResult): boolean {
    return assigned.isAssigned(nodeId, monitorId, slotMs) && assigned.isAssigned(nodeId, monitorId, checkedAtMs);
  }

  return {
    async refresh(node, results) {
      await Promise.all([refreshUnknownMonitors(node, results), refreshAssignments(node, results)]);
    },
    of(node, result, receivedAtMs) {
      const monitor = directory.lookup(result.monitorId);
      if (monitor === null) return { kind: 'unknown_monitor', reason: 'unknown monitor' };
      if (!monitor.locations.includes(node.location)) {
        return { kind: 'not_assigned', reason: `not assigned to ${node.location}` };
      }
      if (!isAssigned(node, result)) return { kind: 'not_assigned', reason: 'not assigned to this probe' };
      if (result.slotMs < receivedAtMs - keptMs(monitor.plan).rawMs) {
        return { kind: 'too_old', reason: 'older than results are kept' };
      }
      return monitor;
    },
  };
}
