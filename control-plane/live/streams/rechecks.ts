import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor, Scope } from '../../actor.js';
import { AppError, ERROR_STATUS } from '../../errors.js';
import { readableScopes } from '../readable-scopes.js';
import type { Subscriber, Subscribers } from '../subscribers.js';
import { type EndReason, endFrame } from './frames.js';

/** How often a session or key with open streams is read again, for what ends without an entry in the audit log. */
const RECHECK_MS = 15_000;
/** Queries at a time. */
const AT_ONCE = 4;

/** Ends the streams of people and keys that may no longer read what they get. */
export interface Rechecks {
  /** Starts the checks that are due. */
  tick(): void;
  /** Checks all clients of the workspaces now, because one of them may have lost access. */
  request(workspaceIds: Iterable<string>): void;
  /** Resolves when no check is running. */
  idle(): Promise<void>;
}

export function createRechecks(needs: {
  subscribers: Subscribers;
  clock: Pick<Clock, 'monotonic'>;
  logger: Logger;
}): Rechecks {
  const { subscribers, clock, logger } = needs;
  /** When the next check of each credential is due. */
  const dueMs = new Map<string, number>();
  const running = new Map<string, Promise<void>>();

  async function check(credential: string, streams: ReadonlySet<Subscriber>): Promise<void> {
    const [first] = streams;
    if (first === undefined) return;
    try {
      const actor = await first.recheck();
      for (const subscriber of [...streams]) endIfChanged(subscriber, actor);
    } catch (error) {
      if (isRefusal(error)) for (const subscriber of [...streams]) end(subscriber, 'access_ended', error.message);
      // While the database is away, there are no events either.
      else logger.debug({ err: error, credential }, 'checking the access of an event stream failed, retrying');
    }
  }

  function tick(): void {
    const nowMs = clock.monotonic();
    const open = new Map(subscribers.byCredential());
    for (const credential of dueMs.keys()) if (!open.has(credential)) dueMs.delete(credential);
    for (const [credential, streams] of open) {
      const due = dueMs.get(credential);
      if (due === undefined) dueMs.set(credential, nowMs + RECHECK_MS);
      else if (due <= nowMs && running.size < AT_ONCE && !running.has(credential)) {
        dueMs.set(credential, nowMs + RECHECK_MS);
        const done = check(credential, streams).finally(() => {
          running.delete(credential);
          if (running.size === AT_ONCE - 1) tick();
        });
        running.set(credential, done);
      }
    }
  }

  return {
    tick,
    request(workspaceIds) {
      for (const workspaceId of workspaceIds) {
        for (const { credential } of subscribers.ofWorkspace(workspaceId)) dueMs.set(credential, clock.monotonic());
      }
      tick();
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

function endIfChanged(subscriber: Subscriber, actor: Actor): void {
  const isElsewhere = actor.workspaceId !== subscriber.workspaceId;
  if (isElsewhere) end(subscriber, 'access_changed', 'This session works in another workspace now.');
  else if (!isSame(readableScopes(actor), subscriber.scopes))
    end(subscriber, 'access_changed', 'Your access has changed.');
}

function end({ stream }: Subscriber, reason: EndReason, detail: string): void {
  stream.end(endFrame(reason, detail));
}

function isSame(a: ReadonlySet<Scope>, b: ReadonlySet<Scope>): boolean {
  return a.size === b.size && [...a].every((scope) => b.has(scope));
}

/** 401 and 403, and 404 for a workspace that is gone. Other errors say nothing about the access. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && [401, 403, 404].includes(ERROR_STATUS[error.code]);
}
