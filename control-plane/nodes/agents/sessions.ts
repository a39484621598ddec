import type { ProcessSample__Output } from '../../../proto/generated/picket/link/v1/ProcessSample.js';
import type { AgentIdentity } from '../nodes.js';
import type { PresenceStore } from '../presence/store.js';
import type { Session } from '../streams/session.js';

type ProcessesListener = (node: AgentIdentity, sample: ProcessSample__Output) => void;

/** The streams of agents that this control plane holds, at most one for each agent. */
export interface AgentSessions {
  presenceStore: PresenceStore;
  all(): Session<AgentIdentity>[];
  count(): number;
  /** null: this control plane holds no stream of the agent. */
  current(nodeId: string): Session<AgentIdentity> | null;
  put(session: Session<AgentIdentity>): void;
  /** Returns false when another stream of the agent has replaced this one. */
  remove(session: Session<AgentIdentity>): boolean;
  /** Calls the listener with every process list that an agent sends. */
  onProcesses(listener: ProcessesListener): void;
  processesReceived: ProcessesListener;
}

export function createAgentSessions(presenceStore: PresenceStore): AgentSessions {
  const sessions = new Map<string, Session<AgentIdentity>>();
  const listeners: ProcessesListener[] = [];
  return {
    presenceStore,
    all: () => [...sessions.values()],
    count: () => sessions.size,
    current: (nodeId) => sessions.get(nodeId) ?? null,
    put(session) {
      sessions.set(session.node.nodeId, session);
    },
    remove(session) {
      if (sessions.get(session.node.nodeId) !== session) return false;
      return sessions.delete(session.node.nodeId);
    },
    onProcesses: (listener) => void listeners.push(listener),
    processesReceived(node, sample) {
      for (const listener of listeners) listener(node, sample);
    },
  };
}
