import type { ProbeIdentity } from '../nodes.js';
import type { Session } from '../streams/session.js';
import type { AssignmentReceiver } from './assignments/feed.js';

/** A probe whose stream this control plane holds. */
export interface LocalProbe {
  session: Session<ProbeIdentity>;
  /** Gets its assignments. */
  receiver: AssignmentReceiver;
  drained: boolean;
}

/** The streams of probes that this control plane holds, at most one for each probe. */
export interface ProbeSessions {
  /** Replaces the previous stream of the probe. */
  put(local: LocalProbe): void;
  /** Returns null, without effect, when another stream of the probe has replaced this one. */
  remove(session: Session): LocalProbe | null;
  /** null: this control plane holds no stream of the probe. */
  get(nodeId: string): LocalProbe | null;
  all(): LocalProbe[];
}

export function createProbeSessions(): ProbeSessions {
  const sessions = new Map<string, LocalProbe>();
  return {
    put: (local) => void sessions.set(local.session.node.nodeId, local),
    remove(session) {
      const { nodeId } = session.node;
      const local = sessions.get(nodeId);
      if (local === undefined || local.session !== session) return null;
      sessions.delete(nodeId);
      return local;
    },
    get: (nodeId) => sessions.get(nodeId) ?? null,
    all: () => [...sessions.values()],
  };
}
