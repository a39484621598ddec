import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { StandingOf } from '../../plans/cache.js';
import type { AgentIdentity } from '../nodes.js';
import { checkSession, createNodeSync, type NodeSync } from '../presence/sync.js';
import type { NodeStore } from '../store.js';
import { SILENT_MS } from '../streams/admission.js';
import type { Session } from '../streams/session.js';
import type { AgentSessions } from './sessions.js';
import { WORKSPACE_STOPPED } from './stopped.js';

/** How soon the stream of a removed server's agent is closed. */
const REFRESH_MS = 10_000;

/**
 * Starts the periodic reads and writes about agents. There can be thousands, so each tick is one query and one write.
 */
export function createAgentSync(needs: {
  sessions: AgentSessions;
  store: NodeStore;
  standingOf: StandingOf;
  controlPlane: string;
  clock: Clock;
  logger: Logger;
}): NodeSync {
  const { sessions: agents, store, controlPlane } = needs;
  return createNodeSync(needs, {
    nodes: 'agents',
    refreshMs: REFRESH_MS,
    async refresh() {
      const sessions = agents.all();
      if (sessions.length === 0) return;
      const states = await store.states(sessions.map(({ node }) => node.nodeId));
      const byId = new Map(states.map((state) => [state._id, state]));
      const open = sessions.filter((session) => checkSession(session, byId.get(session.node.nodeId)));
      await refuseStopped(open, needs.standingOf);
    },
    async heartbeat() {
      // The presence of a silent agent is not renewed, so that another process may replace it.
      const heard = agents.all().filter((session) => session.state() === 'live' && session.heardWithin(SILENT_MS));
      const lost = await agents.presenceStore.renew(
        controlPlane,
        heard.map(({ node }) => node.nodeId),
      );
      for (const nodeId of lost) {
        const details = 'a newer stream of this node has replaced this one';
        agents.current(nodeId)?.finish({ code: status.ABORTED, details });
      }
    },
  });
}

async function refuseStopped(sessions: readonly Session<AgentIdentity>[], standingOf: StandingOf): Promise<void> {
  for (const session of sessions) {
    const standing = await standingOf(session.node.workspaceId);
    if (standing?.stopped !== true) continue;
    const { code, detail, retryAfterMs } = WORKSPACE_STOPPED;
    session.refuse(code, detail, status.UNAVAILABLE, retryAfterMs);
  }
}
