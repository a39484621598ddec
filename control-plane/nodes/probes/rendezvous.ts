/**
 * Which of the nodes gets the key: the one whose hash with it is highest. When a node comes or goes only the keys
 * that it gains or had move, and everyone who knows the same nodes comes to the same answer. null without nodes.
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

/** FNV-1a, with the last mixing steps of MurmurHash3: FNV alone spreads keys that differ at the end too little. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
