import type { AcceptedSample } from '../../servers.js';

/**
 * Queues samples for evaluation: those of one server in order and one at a time, servers in parallel. The workspace with the
 * fewest runs is next, and one leaves some runs to others: while a dead transaction has locked it, each sample that opens or
 * resolves an incident takes 5 s.
 */
export interface SampleQueues {
  add(sample: AcceptedSample): void;
  /** Resolves once no sample waits or is being evaluated. */
  idle(): Promise<void>;
}

/** The limit of a server's queue. When evaluation is slower, the oldest samples are only evaluated through the history. */
const QUEUE_MAX = 30;
const RUNS_MAX = 8;
/** Of one workspace, once there have been samples of another. */
const WORKSPACE_RUNS_MAX = 6;

/** `evaluate` must not reject. */
export function createSampleQueues(evaluate: (sample: AcceptedSample) => Promise<void>): SampleQueues {
  /** By server. It has a queue while a sample of it waits or is being evaluated. */
  const queues = new Map<string, AcceptedSample[]>();
  /** The servers that have samples and no run, by workspace. */
  const waiting = new Map<string, Set<string>>();
  /** Runs by workspace. */
  const runs = new Map<string, number>();
  const idleCallbacks: (() => void)[] = [];
  let [running, firstWorkspace, areSeveral] = [0, '', false];

  function start(): void {
    while (running < RUNS_MAX) {
      const workspaceId = nextWorkspace();
      if (workspaceId === null) return;
      void run(workspaceId, takeServer(workspaceId));
    }
  }

  function nextWorkspace(): string | null {
    let next: string | null = null;
    let fewest = areSeveral ? WORKSPACE_RUNS_MAX : RUNS_MAX;
    for (const workspaceId of waiting.keys()) {
      const own = runs.get(workspaceId) ?? 0;
      if (own < fewest) [next, fewest] = [workspaceId, own];
      if (fewest === 0) break;
    }
    return next;
  }

  function takeServer(workspaceId: string): string {
    const servers = waiting.get(workspaceId) ?? new Set();
    const [serverId = ''] = servers;
    servers.delete(serverId);
    // Of workspaces with the same number of runs, the one that has waited the longest is next.
    waiting.delete(workspaceId);
    if (servers.size > 0) waiting.set(workspaceId, servers);
    return serverId;
  }

  function wait(workspaceId: string, serverId: string): void {
    const servers = waiting.get(workspaceId);
    if (servers === undefined) waiting.set(workspaceId, new Set([serverId]));
    else servers.add(serverId);
  }

  function count(workspaceId: string, change: 1 | -1): void {
    running += change;
    const own = (runs.get(workspaceId) ?? 0) + change;
    if (own === 0) runs.delete(workspaceId);
    else runs.set(workspaceId, own);
  }

  /** Evaluates one sample, so that a server with many does not keep a run. */
  async function run(workspaceId: string, serverId: string): Promise<void> {
    count(workspaceId, 1);
    const queue = queues.get(serverId) ?? [];
    const sample = queue.shift();
    if (sample !== undefined) await evaluate(sample);
    if (queue.length > 0) wait(workspaceId, serverId);
    else queues.delete(serverId);
    count(workspaceId, -1);
    start();
    if (queues.size === 0) for (const resolve of idleCallbacks.splice(0)) resolve();
  }

  return {
    add(sample) {
      const { workspaceId, serverId } = sample;
      firstWorkspace ||= workspaceId;
      areSeveral ||= workspaceId !== firstWorkspace;
      const queue = queues.get(serverId);
      if (queue === undefined) {
        queues.set(serverId, [sample]);
        wait(workspaceId, serverId);
      } else {
        queue.push(sample);
        if (queue.length > QUEUE_MAX) queue.shift();
      }
      start();
    },
    async idle() {
      if (queues.size > 0) await new Promise<void>((resolve) => idleCallbacks.push(resolve));
    },
  };
}
