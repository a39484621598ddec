import type { Clock } from '../../kernel/clock.js';
import type { ToNode } from '../../proto/generated/picket/link/v1/ToNode.js';
import type { LocationCache } from './directory.js';
import type { NodeIdentity } from './nodes.js';

/** First word on a stream; said again when something in it changes. */
export function welcomeOf(node: NodeIdentity, drained: boolean, locations: LocationCache, clock: Clock): ToNode {
  const { nodeId, location } = node;
  const canaryTargets = locations.canaryTargets(location);
  return { welcome: { nodeId, location, serverTimeMs: clock.now(), canaryTargets, drained } };
}
