import type { Clock } from '../../../kernel/clock.js';
import type { LocationCache } from '../locations/directory.js';
import type { AssignmentSource, ProbeIdentity, RecordHandler } from '../nodes.js';
import type { Presence } from '../presence/presence.js';
import type { Registry } from '../presence/registry.js';
import type { PresenceStore } from '../presence/store.js';
import type { StreamHost } from '../streams/host.js';
import type { AssignmentFeeds, AssignmentReceiver } from './assignments.js';
import { welcomeOf } from './welcome.js';

/** Streams of probes: each gets its assignments, and counts for its location. */
export function createProbeHost(dependencies: {
  presenceStore: PresenceStore;
  presence: Presence;
  registry: Registry;
  locations: LocationCache;
  feeds: AssignmentFeeds;
  source: AssignmentSource;
  handler: RecordHandler<ProbeIdentity>;
  clock: Clock;
}): StreamHost<ProbeIdentity> {
  const { presenceStore, presence, registry, feeds, source, locations, handler, clock } = dependencies;
  return {
    presenceStore,
    handler,
    ready: () => source.ready(),
    current: (nodeId) => registry.get(nodeId)?.session ?? null,
    welcome: (session, drained) => welcomeOf(session.node, drained, locations, clock),
    opened(session, hello, drained) {
      const receiver: AssignmentReceiver = {
        node: session.node,
        send: (assignments) => session.send({ assignments }),
        backlog: session.backlog,
      };
      registry.put({ session, receiver, drained });
      presence.localChanged();
      feeds.open(receiver, hello.assignmentsRevision);
    },
    closed(session) {
      const local = registry.remove(session);
      if (local === null) return false;
      feeds.close(local.receiver);
      presence.localChanged();
      return true;
    },
    message() {
      // Probes send nothing but what every node sends.
    },
  };
}
