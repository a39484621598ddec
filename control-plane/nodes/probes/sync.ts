import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { LatenessDocument } from '../documents.js';
import type { LocationCache } from '../locations/cache.js';
import type { Presence } from '../presence/presence.js';
import type { PresenceStore } from '../presence/store.js';
import { checkSession, createNodeSync, type NodeSync } from '../presence/sync.js';
import type { NodeStore } from '../store.js';
import { SILENT_MS } from '../streams/admission.js';
import type { LocalProbe, ProbeSessions } from './sessions.js';
import { welcomeOf } from './welcome.js';

/** How soon a revocation, a drain or the probes of another control plane are noticed. */
const REFRESH_MS = 2_000;
const MINUTE_MS = 60_000;

interface ProbeSyncNeeds {
  store: NodeStore;
  presenceStore: PresenceStore;
  presence: Presence;
  sessions: ProbeSessions;
  locations: LocationCache;
  clock: Clock;
  logger: Logger;
}

/** Starts the periodic reads and writes about probes. */
export function createProbeSync(needs: ProbeSyncNeeds): NodeSync {
  const { presence, locations } = needs;
  return createNodeSync(needs, {
    nodes: 'probes',
    refreshMs: REFRESH_MS,
    async refresh() {
      await Promise.all([presence.refresh(), locations.refresh(), checkSessions(needs)]);
    },
    heartbeat: () => writeHeartbeats(needs),
  });
}

/** Ends streams that are no longer allowed, and applies drains. */
async function checkSessions({ store, presence, sessions, locations, clock }: ProbeSyncNeeds): Promise<void> {
  const locals = sessions.all();
  if (locals.length === 0) return;
  const states = await store.states(locals.map(({ session }) => session.node.nodeId));
  const byId = new Map(states.map((state) => [state._id, state]));
  let drainChanged = false;
  for (const local of locals) {
    const state = byId.get(local.session.node.nodeId);
    if (!checkSession(local.session, state)) continue;
    const drained = state?.drained_at_ms !== null;
    if (drained === local.drained) continue;
    drainChanged = true;
    local.drained = drained;
    local.session.send(welcomeOf(local.session.node, drained, locations, clock));
  }
  if (drainChanged) presence.localChanged();
}

async function writeHeartbeats({ presenceStore, sessions, clock }: ProbeSyncNeeds): Promise<void> {
  const locals = sessions.all();
  const superseded = await presenceStore.heartbeat(
    locals.map(({ session, drained }) => ({
      nodeId: session.node.nodeId,
      streamId: session.streamId,
      drained,
      draining: session.state() !== 'live' || !session.heardWithin(SILENT_MS),
      status: session.status(),
    })),
  );
  for (const { session } of locals) {
    if (!superseded.includes(session.node.nodeId)) continue;
    session.finish({ code: status.ABORTED, details: 'a newer stream of this node has replaced this one' });
  }
  await presenceStore.saveLateness(locals.flatMap((local) => latenessNow(local, clock.now())));
}

function latenessNow({ session }: LocalProbe, nowMs: number): LatenessDocument[] {
  const current = session.status();
  if (current === null || current.slots_run === 0) return [];
  const minute = Math.floor(nowMs / MINUTE_MS);
  return [
    {
      _id: `${session.node.nodeId}/${minute}`,
      location: session.node.location,
      at: new Date(minute * MINUTE_MS),
      p50_ms: current.lateness_p50_ms,
      p99_ms: current.lateness_p99_ms,
      slots_run: current.slots_run,
    },
  ];
}
