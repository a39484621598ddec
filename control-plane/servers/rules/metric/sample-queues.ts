import type { AcceptedSample } from '../../servers.js';

/** Queues samples for evaluation: those of one server in order and one at a time, servers in parallel. */
export interface SampleQueues {
  add(sample: AcceptedSample): void;
  /** Resolves once no sample waits or is being evaluated. */
  idle(): Promise<void>;
}

/** The limit of a server's queue. When evaluation is slower, the oldest samples are only evaluated through the history. */
const QUEUE_MAX = 30;
const RUNS_MAX = 8;

/** `evaluate` must not reject. */
export function createSampleQueues(evaluate: (sample: AcceptedSample) => Promise<void>): SampleQueues {
  const queues = new Map<string, AcceptedSample[]>();
  const busy = new Set<string>();
  const idleCallbacks: (() => void)[] = [];

  function start(): void {
    for (const serverId of queues.keys()) {
      if (busy.size >= RUNS_MAX) return;
      if (!busy.has(serverId)) void run(serverId);
    }
  }

  async function run(serverId: string): Promise<void> {
    busy.add(serverId);
    for (;;) {
      const sample = queues.get(serverId)?.shift();
      if (sample === undefined) break;
      await evaluate(sample);
    }
    queues.delete(serverId);
    busy.delete(serverId);
    start();
    if (queues.size === 0) for (const resolve of idleCallbacks.splice(0)) resolve();
  }

  return {
    add(sample) {
      const queue = queues.get(sample.serverId);
      if (queue === undefined) queues.set(sample.serverId, [sample]);
      else {
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
