import { type Nodes, nodesSlice } from '../../../control-plane/nodes/open.js';

/** Opens the slice of probes and agents as a control plane does: with its indexes, and with what is connected already. */
export async function openNodes(needs: Parameters<typeof nodesSlice.open>[0]): Promise<Nodes> {
  const nodes = await nodesSlice.open(needs);
  await nodes.ensureIndexes();
  await nodes.ready();
  return nodes;
}
