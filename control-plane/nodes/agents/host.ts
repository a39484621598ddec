import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { StandingOf } from '../../plans/cache.js';
import type { AgentIdentity, AgentOwner } from '../nodes.js';
import { reconnectSpreadMs } from '../streams/connections/reconnect-spread.js';
import type { StreamHost } from '../streams/host.js';
import type { Credit } from '../streams/memory/credit.js';
import type { StreamMetrics } from '../streams/metrics.js';
import type { AgentSessions } from './sessions.js';
import { WORKSPACE_STOPPED } from './stopped.js';

/** Twice what an agent with the most devices sends. */
const INVENTORY_BYTES_MAX = 128 * 1024;
/** Ten times the twenty processes of a response. */
const PROCESSES_BYTES_MAX = 64 * 1024;

/** Returns how streams of agents are treated: samples and inventories go to `owner`. */
export function createAgentHost(needs: {
  sessions: AgentSessions;
  owner: AgentOwner;
  metrics: StreamMetrics;
  /** The credit of all agents. */
  credit: Credit;
  standingOf: StandingOf;
  clock: Clock;
  logger: Logger;
}): StreamHost<AgentIdentity> {
  const { sessions, owner, metrics, credit, standingOf, clock, logger } = needs;
  return {
    presenceStore: sessions.presenceStore,
    handler: owner.records,
    reconnectSpreadMs: () => reconnectSpreadMs(sessions.count()),
    openCredit: credit.open,
    ready: () => Promise.resolve(),
    refusal: async ({ workspaceId }) => ((await standingOf(workspaceId))?.stopped === true ? WORKSPACE_STOPPED : null),
    current: sessions.current,
    welcome: ({ node }) => ({
      welcome: { nodeId: node.nodeId, location: '', serverTimeMs: clock.now(), canaryTargets: [], drained: false },
    }),
    opened: (session) => sessions.put(session),
    closed: (session) => sessions.remove(session),
    message({ node }, message) {
      const { kind = 'message', wireBytes = 0 } = message;
      if (wireBytes > (message.inventory ? INVENTORY_BYTES_MAX : PROCESSES_BYTES_MAX)) {
        metrics.messageRefused('agent', `${kind}_too_large`);
        logger.debug({ node, kind, bytes: wireBytes }, 'ignoring an agent message that is too large');
      } else if (message.inventory) owner.inventory(node, message.inventory);
      else if (message.processes) sessions.processesReceived(node, message.processes);
      else logger.debug({ node }, 'ignoring an agent message of an unknown kind');
    },
  };
}
