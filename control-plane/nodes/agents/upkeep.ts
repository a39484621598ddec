import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { keepUp, mayStay, type Upkeep } from '../presence/upkeep.js';
import type { NodeStore } from '../store.js';
import { SILENT_MS } from '../streams/admission.js';
import type { AgentHost } from './host.js';

/** How soon the agent of a removed server is sent away. */
const LOOK_MS = 10_000;

/** The same for agents: thousands of them, so each look is one query and each beat one write. */
export function createAgentUpkeep(dependencies: {
  host: AgentHost;
  store: NodeStore;
  controlPlane: string;
  clock: Clock;
  logger: Logger;
}): Upkeep {
  const { host, store, controlPlane } = dependencies;
  return keepUp(dependencies, {
    of: 'agents',
    lookMs: LOOK_MS,
    async look() {
      const sessions = host.sessions();
      if (sessions.length === 0) return;
      const standings = await store.standings(sessions.map(({ node }) => node.nodeId));
      const byId = new Map(standings.map((standing) => [standing._id, standing]));
      for (const session of sessions) mayStay(session, byId.get(session.node.nodeId));
    },
    async beat() {
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
    },
  });
}
