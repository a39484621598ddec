import { status } from '@grpc/grpc-js';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { SILENT_MS } from './admission.js';
import type { AgentHost } from './agent-host.js';
import type { NodeStore } from './store.js';
import { mayStay, oneAtATime } from './upkeep.js';

const BEAT_MS = 5_000;
/** How soon the agent of a removed server is sent away. */
const LOOK_MS = 10_000;

/** Keeps this control plane and the database in step about agents: thousands of them, so each look is one query. */
export interface AgentUpkeep {
  /** Ends the streams of agents whose credential is void. */
  look(): Promise<void>;
  /** Renews the rows of the agents that are heard of here. */
  beat(): Promise<void>;
  stop(): void;
}

export function createAgentUpkeep(dependencies: {
  host: AgentHost;
  store: NodeStore;
  controlPlane: string;
  clock: Clock;
  logger: Logger;
}): AgentUpkeep {
  const { host, store, controlPlane, clock, logger } = dependencies;
  const look = oneAtATime(async () => {
    const sessions = host.sessions();
    if (sessions.length === 0) return;
    const standings = await store.standings(sessions.map(({ node }) => node.nodeId));
    const byId = new Map(standings.map((standing) => [standing._id, standing]));
    for (const session of sessions) mayStay(session, byId.get(session.node.nodeId));
  });
  const beat = oneAtATime(async () => {
    // One that is silent is left to grow old, so that another process may take its place.
    const heard = host.sessions().filter((session) => session.state() === 'live' && session.heardWithin(SILENT_MS));
    const lost = await host.presenceStore.renew(
      controlPlane,
      heard.map(({ node }) => node.nodeId),
    );
    for (const nodeId of lost) {
      const details = 'a newer stream of this node has taken over';
      host.current(nodeId)?.finish({ code: status.ABORTED, details });
    }
  });
  const tolerant = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => logger.warn({ err: error }, 'what is known of the agents cannot be renewed now'));
  };
  const timers = [clock.every(LOOK_MS, tolerant(look)), clock.every(BEAT_MS, tolerant(beat))];
  return {
    look,
    beat,
    stop() {
      for (const timer of timers) timer.cancel();
    },
  };
}
