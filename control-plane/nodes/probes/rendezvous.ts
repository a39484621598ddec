/** Returns the node that owns a key; null without nodes. */
export type Rendezvous = (key: string) => string | null;

/**
 * Returns the function that chooses the owner of a key by rendezvous hashing: the node with the highest hash of node and
 * key. When a node is added or removed, only its own keys move. Every control plane that knows the same nodes gets the
 * same result.
 */
export function createRendezvous(nodeIds: readonly string[]): Rendezvous {
  const [only] = nodeIds;
  if (nodeIds.length <= 1) return () => only ?? null;
  const nodes = nodeIds.map((nodeId) => ({ nodeId, hash: hashed(`${nodeId}/`, FNV_OFFSET) }));
  return (key) => {
    let owner: string | null = null;
    let highest = -1;
    for (const { nodeId, hash } of nodes) {
      const score = mixed(hashed(key, hash));
      if (score > highest || (score === highest && owner !== null && nodeId > owner)) {
        owner = nodeId;
        highest = score;
      }
    }
    return owner;
  };
}

/** Returns the owner of one key. */
export function rendezvousOwner(key: string, nodeIds: readonly string[]): string | null {
  return createRendezvous(nodeIds)(key);
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Continues an FNV-1a hash with this text. */
function hashed(text: string, from: number): number {
  let hash = from;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash;
}

/** The final mixing of MurmurHash3, because FNV alone distributes keys with different endings badly. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
