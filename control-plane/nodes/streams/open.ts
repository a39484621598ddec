import type { OpenedSlice, Slice } from '../../slice.js';
import type { AgentOwner, RecordHandler } from '../nodes.js';
import type { Nodes } from '../open.js';
import type { NodeServer } from './node-server.js';

interface StreamsNeeds {
  nodes: Nodes;
  /** Stores check results. */
  handler: RecordHandler;
  /** Stores samples and inventories of agents. */
  agents: AgentOwner;
}

export interface Streams extends OpenedSlice {
  server: NodeServer;
}

/** The gRPC server that probes and agents connect to. */
export const streamsSlice: Slice<'streams', StreamsNeeds, Streams> = {
  name: 'streams',
  open: ({ nodes, handler, agents }) => ({ server: nodes.createServer({ handler, agents }) }),
};
