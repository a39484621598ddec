import type { Clock } from '../../../kernel/clock.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { LocationCache } from '../locations/cache.js';
import type { ProbeIdentity } from '../nodes.js';

/** Returns the first message on a probe's stream. It is sent again when something in it changes. */
export function welcomeOf(node: ProbeIdentity, drained: boolean, locations: LocationCache, clock: Clock): ToNode {
  const { nodeId, location } = node;
  const canaryTargets = locations.canaryTargets(location);
  return { welcome: { nodeId, location, serverTimeMs: clock.now(), canaryTargets, drained } };
}
