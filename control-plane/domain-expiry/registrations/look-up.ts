import { backoffMs } from '../../../kernel/backoff.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Registration, RegistrationDocument } from '../documents.js';
import type { Answer, AskRdap } from '../rdap/ask.js';
import type { KnownServers } from '../rdap/bootstrap.js';
import { serverOf } from '../rdap/bootstrap-file.js';
import { FAILED_NAMES_MAX, SERVER_BACKOFF, SERVER_PAUSE_MS, TURN_WAIT_MS_MAX } from '../rdap/limits.js';
import type { BusyServer, RdapServerStore } from '../rdap/servers-store.js';
import { afterAnswer, fromCopy, withoutServer } from './next.js';
import type { RegistrationStore } from './store.js';

/**
 * What is known of a domain, or when to look it up again: its server must be left alone until then. `problem` says why; null if
 * the server only answers other questions.
 */
export type LookedUp = { registration: RegistrationDocument } | { laterAtMs: number; problem: string | null };

const NO_LIST = 'the list of RDAP servers could not be downloaded';

/** Returns what is known of a domain. Asks the registry if that is due. `registration` counts if the shared answer is lost. */
export type LookUp = (
  domain: { name: string; registration: Registration },
  known: KnownServers,
  signal: AbortSignal,
) => Promise<LookedUp>;

export interface LookUpNeeds {
  registrations: RegistrationStore;
  rdapServers: RdapServerStore;
  ask: AskRdap;
  clock: Clock;
  random: Random;
}

export function createLookUp(needs: LookUpNeeds): LookUp {
  const { registrations, rdapServers, clock } = needs;

  /** Resolves to null once the turn at the server is taken; to when it is free if that takes too long. */
  async function takeTurn(origin: string, signal: AbortSignal): Promise<BusyServer | null> {
    const untilMs = clock.now() + TURN_WAIT_MS_MAX;
    for (;;) {
      const nowMs = clock.now();
      const busy = await rdapServers.take(origin, nowMs, SERVER_PAUSE_MS);
      if (busy === null || busy.freeAtMs > untilMs || signal.aborted) return busy;
      await clock.sleep(busy.freeAtMs - nowMs, signal);
    }
  }

  /** If another control plane has saved an answer since `stored` was read, that one counts. */
  async function save(registration: RegistrationDocument, stored: RegistrationDocument | null): Promise<LookedUp> {
    if (await registrations.save(registration, stored)) return { registration };
    return { registration: (await registrations.find(registration._id)) ?? registration };
  }

  /** Notes what the answer says of the server, and returns when it may be asked again. */
  async function noteServer(origin: string, name: string, answer: Answer): Promise<number> {
    const isFailed = answer.kind === 'server_failed';
    // One name for which a server always fails must not stop the others.
    if (isFailed && (await rdapServers.failedFor(origin, name)) < FAILED_NAMES_MAX) return clock.now();
    if (!isFailed && answer.kind !== 'server_busy') {
      await rdapServers.answered(origin);
      return clock.now();
    }
    const failures = (await rdapServers.failures(origin)) + 1;
    const waitMs = backoffMs(failures, needs.random.fraction(), SERVER_BACKOFF);
    const askedMs = isFailed ? 0 : (answer.retryAfterMs ?? 0);
    const freeAtMs = clock.now() + Math.max(waitMs, askedMs, SERVER_PAUSE_MS);
    await rdapServers.pause(origin, freeAtMs, answer.problem);
    return freeAtMs;
  }

  /** A lost answer must not look as if the registry no longer said a date. */
  async function lastOf(name: string, own: Registration) {
    const stored = await registrations.find(name);
    return { stored, last: stored ?? fromCopy(name, own) };
  }

  return async ({ name, registration: own }, { servers, untilMs }, signal) => {
    const known = await lastOf(name, own);
    if (known.last !== null && known.last.next_at_ms > clock.now()) return { registration: known.last };
    if (servers === null) return { laterAtMs: untilMs, problem: NO_LIST };
    const server = serverOf(servers, name);
    if (server === null) {
      return save(withoutServer({ name, before: known.last, nowMs: clock.now() }, untilMs), known.stored);
    }
    const { origin } = new URL(server);
    const busy = await takeTurn(origin, signal);
    if (busy !== null) return { laterAtMs: busy.freeAtMs, problem: busy.problem };
    // Another control plane may have asked while this one waited.
    const { stored, last: before } = await lastOf(name, own);
    if (before !== null && before.next_at_ms > clock.now()) return { registration: before };
    const answer = await needs.ask(server, name, signal);
    if (signal.aborted) return { laterAtMs: clock.now(), problem: null };
    const nextMs = await noteServer(origin, name, answer);
    return save(afterAnswer({ name, before, nowMs: clock.now() }, answer, nextMs), stored);
  };
}
