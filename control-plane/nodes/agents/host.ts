import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { ProcessSample__Output } from '../../../proto/generated/picket/link/v1/ProcessSample.js';
import type { AgentIdentity, AgentOwner } from '../nodes.js';
import type { PresenceStore } from '../presence/store.js';
import type { StreamHost } from '../streams/host.js';
import type { Session } from '../streams/session.js';

/** Streams of agents that this control plane holds. */
export interface AgentHost extends StreamHost<AgentIdentity> {
  sessions(): Session<AgentIdentity>[];
  /** Called with what an agent answers to a question. */
  onProcesses(listener: (node: AgentIdentity, sample: ProcessSample__Output) => void): void;
}

export function createAgentHost(dependencies: {
  presenceStore: PresenceStore;
  owner: AgentOwner;
  clock: Clock;
  logger: Logger;
}): AgentHost {
  const { presenceStore, owner, clock, logger } = dependencies;
  const sessions = new Map<string, Session<AgentIdentity>>();
  const listeners: ((node: AgentIdentity, sample: ProcessSample__Output) => void)[] = [];
  return {
    presenceStore,
    handler: owner.records,
    ready: () => Promise.resolve(),
    current: (nodeId) => sessions.get(nodeId) ?? null,
    welcome: ({ node }) => ({
      welcome: { nodeId: node.nodeId, location: '', serverTimeMs: clock.now(), canaryTargets: [], drained: false },
    }),
    opened(session) {
      sessions.set(session.node.nodeId, session);
    },
    closed(session) {
      if (sessions.get(session.node.nodeId) !== session) return false;
      return sessions.delete(session.node.nodeId);
    },
    message({ node }, message) {
      if (message.inventory) owner.inventory(node, message.inventory);
      else if (message.processes) for (const listener of listeners) listener(node, message.processes);
      else logger.debug({ node }, 'a message of a kind that is not known here');
    },
    sessions: () => [...sessions.values()],
    onProcesses: (listener) => void listeners.push(listener),
  };
}
