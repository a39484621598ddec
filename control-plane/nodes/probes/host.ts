import type { Clock } from '../../../kernel/clock.js';
import type { LocationCache } from '../locations/cache.js';
import type { AssignmentSource, ProbeIdentity, RecordHandler } from '../nodes.js';
import type { Presence } from '../presence/presence.js';
import type { PresenceStore } from '../presence/store.js';
import type { StreamHost } from '../streams/host.js';
import { unlimitedCredit } from '../streams/memory/credit.js';
import type { AssignmentFeeds } from './assignments/assignments.js';
import type { AssignmentReceiver } from './assignments/feed.js';
import type { ProbeScanRelay } from './scans.js';
import type { ProbeSessions } from './sessions.js';
import { welcomeOf } from './welcome.js';

/** Returns how streams of probes are handled: each gets its assignments and counts for its location. */
export function createProbeHost(needs: {
  presenceStore: PresenceStore;
  presence: Presence;
  sessions: ProbeSessions;
  locations: LocationCache;
  feeds: AssignmentFeeds;
  source: AssignmentSource;
  handler: RecordHandler<ProbeIdentity>;
  scans: Pick<ProbeScanRelay, 'received'>;
  clock: Clock;
}): StreamHost<ProbeIdentity> {
  const { presenceStore, presence, sessions, feeds, source, locations, handler, scans, clock } = needs;
  return {
    presenceStore,
    handler,
    reconnectSpreadMs: () => 0,
    openCredit: () => unlimitedCredit,
    ready: () => source.ready(),
    refusal: async () => null,
    current: (nodeId) => sessions.get(nodeId)?.session ?? null,
    welcome: (session, drained) => welcomeOf(session.node, drained, locations, clock),
    opened(session, hello, drained) {
      const receiver: AssignmentReceiver = {
        node: session.node,
        send: (assignments) => session.send({ assignments }),
        backlog: session.backlog,
      };
      sessions.put({ session, receiver, drained });
      presence.localChanged();
      feeds.open(receiver, hello.assignmentsRevision);
    },
    closed(session) {
      const local = sessions.remove(session);
      if (local === null) return false;
      feeds.close(local.receiver);
      presence.localChanged();
      return true;
    },
    message({ node }, { scanResult, wireBytes = 0 }) {
      if (scanResult) scans.received(node, scanResult, wireBytes);
    },
  };
}
