import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { NodeState } from '../store.js';
import { removalReason } from '../streams/removal-reason.js';
import type { Session } from '../streams/session.js';

const HEARTBEAT_MS = 5_000;

/** Keeps this control plane and the database in agreement about nodes, by periodic reads and writes. */
export interface NodeSync {
  /** Reads the nodes, and ends the streams here that are no longer allowed. */
  refresh(): Promise<void>;
  /** Renews the presence of the nodes that are connected here. */
  heartbeat(): Promise<void>;
  stop(): void;
}

/** Starts both periodic tasks. Each runs one at a time; after an error, the next tick retries. */
export function createNodeSync(
  { clock, logger }: { clock: Clock; logger: Logger },
  work: { nodes: 'probes' | 'agents'; refreshMs: number; refresh(): Promise<void>; heartbeat(): Promise<void> },
): NodeSync {
  const refresh = oneAtATime(work.refresh);
  const heartbeat = oneAtATime(work.heartbeat);
  const logged = (run: () => Promise<void>, task: string) => () => {
    run().catch((err: unknown) => logger.warn({ err }, `${task} of ${work.nodes} failed, retrying`));
  };
  const timers = [
    clock.every(work.refreshMs, logged(refresh, 'reading the state')),
    clock.every(HEARTBEAT_MS, logged(heartbeat, 'writing the presence')),
  ];
  return {
    refresh,
    heartbeat,
    stop() {
      for (const timer of timers) timer.cancel();
    },
  };
}

/**
 * Returns a function that runs `work` one at a time. A call during a run waits for a run that starts after the call.
 */
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
        // The caller that started this run gets its error.
      })
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}

/**
 * Ends the stream of a node that was revoked or whose credential was replaced. Returns whether the stream stays open.
 */
export function checkSession(session: Session, state: NodeState | undefined): boolean {
  if (state === undefined || state.revoked_at_ms !== null) {
    session.refuse('revoked', removalReason(session.node.kind), status.PERMISSION_DENIED);
    return false;
  }
  const valid = [state.credential_hash, state.previous_credential_hash].includes(session.credentialHash);
  // ABORTED and not a refusal: the node may have just switched to the new credential.
  if (!valid) session.finish({ code: status.ABORTED, details: 'the credential was replaced' });
  return valid;
}
