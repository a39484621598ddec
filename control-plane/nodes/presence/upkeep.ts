import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { LatenessDocument } from '../documents.js';
import type { LocationCache } from '../locations/directory.js';
import { welcomeOf } from '../probes/welcome.js';
import type { NodeStanding, NodeStore } from '../store.js';
import { SILENT_MS } from '../streams/admission.js';
import { removedWords } from '../streams/gateway.js';
import type { Session } from '../streams/session.js';
import type { Presence } from './presence.js';
import type { LocalNode, Registry } from './registry.js';
import type { PresenceStore } from './store.js';

/** How soon a revocation, a drain or another control plane's nodes are noticed. */
const LOOK_MS = 2_000;
const BEAT_MS = 5_000;
const MINUTE_MS = 60_000;

interface Dependencies {
  store: NodeStore;
  presenceStore: PresenceStore;
  presence: Presence;
  registry: Registry;
  locations: LocationCache;
  clock: Clock;
  logger: Logger;
}

/** Keeps this control plane and the database in step about nodes, by periodic reads and writes alone. */
export interface Upkeep {
  /** Reads who is where, and whether the nodes connected here may stay. */
  look(): Promise<void>;
  /** Renews the rows of the nodes connected here. */
  beat(): Promise<void>;
  stop(): void;
}

export function createUpkeep(dependencies: Dependencies): Upkeep {
  const { presence, locations } = dependencies;
  return keepUp(dependencies, {
    of: 'nodes',
    lookMs: LOOK_MS,
    async look() {
      await Promise.all([presence.refresh(), locations.refresh(), checkStandings(dependencies)]);
    },
    beat: () => beatAll(dependencies),
  });
}

/** Does both again and again, each one at a time; what fails is done the next time. */
export function keepUp(
  { clock, logger }: { clock: Clock; logger: Logger },
  work: { of: string; lookMs: number; look(): Promise<void>; beat(): Promise<void> },
): Upkeep {
  const look = oneAtATime(work.look);
  const beat = oneAtATime(work.beat);
  const tolerant = (run: () => Promise<void>) => () => {
    run().catch((err: unknown) => logger.warn({ err }, `what is known of the ${work.of} cannot be renewed now`));
  };
  const timers = [clock.every(work.lookMs, tolerant(look)), clock.every(BEAT_MS, tolerant(beat))];
  return {
    look,
    beat,
    stop() {
      for (const timer of timers) timer.cancel();
    },
  };
}

/** A call during a run waits for a run that begins after the call. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = () => {
    const run = work().finally(() => {
      running = null;
    });
    running = run;
    return run;
  };
  return () => {
    if (running === null) return start();
    next ??= running
      .catch(() => {
        // Whoever started that run hears of it.
      })
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}

async function checkStandings({ store, presence, registry, locations, clock }: Dependencies): Promise<void> {
  const locals = registry.all();
  if (locals.length === 0) return;
  const standings = await store.standings(locals.map(({ session }) => session.node.nodeId));
  const byId = new Map(standings.map((standing) => [standing._id, standing]));
  let shared = false;
  for (const local of locals) {
    const standing = byId.get(local.session.node.nodeId);
    if (!mayStay(local.session, standing)) continue;
    const drained = standing?.drained_at_ms !== null;
    if (drained === local.drained) continue;
    shared = true;
    local.drained = drained;
    local.session.send(welcomeOf(local.session.node, drained, locations, clock));
  }
  if (shared) presence.localChanged();
}

/** Ends the stream of a node that was revoked, or whose credential has been replaced. */
export function mayStay(session: Session, standing: NodeStanding | undefined): boolean {
  if (standing === undefined || standing.revoked_at_ms !== null) {
    session.refuse('revoked', removedWords(session.node.kind), status.PERMISSION_DENIED);
    return false;
  }
  const valid = [standing.credential_hash, standing.previous_credential_hash].includes(session.credentialHash);
  // A node that has just moved to the new one must not take this for a refusal of it.
  if (!valid) session.finish({ code: status.ABORTED, details: 'the credential has been replaced' });
  return valid;
}

async function beatAll({ presenceStore, registry, clock }: Dependencies): Promise<void> {
  const locals = registry.all();
  const superseded = await presenceStore.beat(
    locals.map(({ session, drained }) => ({
      nodeId: session.node.nodeId,
      streamId: session.streamId,
      drained,
      draining: session.state() !== 'live' || !session.heardWithin(SILENT_MS),
      report: session.report(),
    })),
  );
  for (const { session } of locals) {
    if (!superseded.includes(session.node.nodeId)) continue;
    session.finish({ code: status.ABORTED, details: 'a newer stream of this node has taken over' });
  }
  await presenceStore.noteLateness(locals.flatMap((local) => latenessNow(local, clock.now())));
}

function latenessNow({ session }: LocalNode, nowMs: number): LatenessDocument[] {
  const report = session.report();
  if (report === null || report.slots_run === 0) return [];
  const minute = Math.floor(nowMs / MINUTE_MS);
  return [
    {
      _id: `${session.node.nodeId}/${minute}`,
      location: session.node.location,
      at: new Date(minute * MINUTE_MS),
      p50_ms: report.lateness_p50_ms,
      p99_ms: report.lateness_p99_ms,
      slots_run: report.slots_run,
    },
  ];
}
