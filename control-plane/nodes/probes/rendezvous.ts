/**
 * Returns the node that owns the key by rendezvous hashing: the one with the highest hash of node and key; null without
 * nodes. When a node is added or removed, only its own keys move. Every control plane that knows the same nodes gets
 * the same result.
 */
export function rendezvousOwner(key: string, nodeIds: readonly string[]): string | null {
  let owner: string | null = null;
  let highest = -1;
  for (const nodeId of nodeIds) {
    const score = nodeIds.length === 1 ? 0 : hash32(`${nodeId}/${key}`);
    if (score > highest || (score === highest && owner !== null && nodeId > owner)) {
      owner = nodeId;
      highest = score;
    }
  }
  return owner;
}

/** FNV-1a with the final mixing of MurmurHash3, because FNV alone distributes keys with different endings badly. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
