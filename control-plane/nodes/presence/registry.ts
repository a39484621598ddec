import type { ProbeIdentity } from '../nodes.js';
import type { AssignmentReceiver } from '../probes/assignments.js';
import type { Session } from '../streams/session.js';

/** A probe whose stream this control plane holds. */
export interface LocalNode {
  session: Session<ProbeIdentity>;
  /** Where its assignments go. */
  receiver: AssignmentReceiver;
  drained: boolean;
}

/** Which probes are connected here. */
export interface Registry {
  /** Puts the node's stream in place of the one before it. */
  put(local: LocalNode): void;
  /** null, without effect, when another stream of the node has taken the place. */
  remove(session: Session): LocalNode | null;
  get(nodeId: string): LocalNode | null;
  all(): LocalNode[];
}

export function createRegistry(): Registry {
  const nodes = new Map<string, LocalNode>();
  return {
    put: (local) => void nodes.set(local.session.node.nodeId, local),
    remove(session) {
      const { nodeId } = session.node;
      const local = nodes.get(nodeId);
      if (local === undefined || local.session !== session) return null;
      nodes.delete(nodeId);
      return local;
    },
    get: (nodeId) => nodes.get(nodeId) ?? null,
    all: () => [...nodes.values()],
  };
}
