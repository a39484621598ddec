import type { Clock } from '../../../kernel/clock.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { LocationCache } from '../locations/directory.js';
import type { ProbeIdentity } from '../nodes.js';

/** First word on a probe's stream; said again when something in it changes. */
export function welcomeOf(node: ProbeIdentity, drained: boolean, locations: LocationCache, clock: Clock): ToNode {
  const { nodeId, location } = node;
  const canaryTargets = locations.canaryTargets(location);
  return { welcome: { nodeId, location, serverTimeMs: clock.now(), canaryTargets, drained } };
}
