import { RUNNING_OF_WORKSPACE_MAX, type RunningScan } from '../store.js';

/** A probe runs no more at a time; what it gets beyond that waits there while other probes may be free. */
const RUNNING_OF_PROBE_MAX = 4;

/** What is running, and what one round of the job adds to it. */
export interface ScanLoad {
  /** The workspaces that run as many scans as they may. */
  fullWorkspaces(): string[];
  isHostHeld(host: string): boolean;
  isFree(nodeId: string): boolean;
  /** Counts one more scan at a probe. */
  add(nodeId: string): void;
  /** Takes back what `add` counted. */
  remove(nodeId: string): void;
}

export function createScanLoad(running: readonly RunningScan[]): ScanLoad {
  const hosts = new Set(running.map(({ running_host }) => running_host));
  const ofWorkspaces = new Map<string, number>();
  const ofProbes = new Map<string, number>();
  const countAt = (nodeId: string, by: number) => ofProbes.set(nodeId, (ofProbes.get(nodeId) ?? 0) + by);
  for (const { workspace_id, node_id } of running) {
    ofWorkspaces.set(workspace_id, (ofWorkspaces.get(workspace_id) ?? 0) + 1);
    if (node_id !== null) countAt(node_id, 1);
  }
  return {
    fullWorkspaces: () =>
      [...ofWorkspaces].filter(([, count]) => count >= RUNNING_OF_WORKSPACE_MAX).map(([workspaceId]) => workspaceId),
    isHostHeld: (host) => hosts.has(host),
    isFree: (nodeId) => (ofProbes.get(nodeId) ?? 0) < RUNNING_OF_PROBE_MAX,
    add: (nodeId) => void countAt(nodeId, 1),
    remove: (nodeId) => void countAt(nodeId, -1),
  };
}
