import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { AgentIdentity, AgentOwner } from '../nodes.js';
import type { StreamHost } from '../streams/host.js';
import type { AgentSessions } from './sessions.js';

/** Returns how streams of agents are treated: samples and inventories go to `owner`. */
export function createAgentHost(needs: {
  sessions: AgentSessions;
  owner: AgentOwner;
  clock: Clock;
  logger: Logger;
}): StreamHost<AgentIdentity> {
  const { sessions, owner, clock, logger } = needs;
  return {
    presenceStore: sessions.presenceStore,
    handler: owner.records,
    ready: () => Promise.resolve(),
    current: sessions.current,
    welcome: ({ node }) => ({
      welcome: { nodeId: node.nodeId, location: '', serverTimeMs: clock.now(), canaryTargets: [], drained: false },
    }),
    opened: (session) => sessions.put(session),
    closed: (session) => sessions.remove(session),
    message({ node }, message) {
      if (message.inventory) owner.inventory(node, message.inventory);
      else if (message.processes) sessions.processesReceived(node, message.processes);
      else logger.debug({ node }, 'ignoring an agent message of an unknown kind');
    },
  };
}
