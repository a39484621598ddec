import { Resolver } from 'node:dns/promises';
import type { Clock } from '../../../kernel/clock.js';
import type { Answer } from '../lists/classify.js';
import { createFreshResolver } from './fresh-resolver.js';

/** Of one question to one server. */
const TRY_TIMEOUT_MS = 2_000;
/** Of a look-up with its retry, and with the wait for its turn. */
export const LOOKUP_TIMEOUT_MS = 5_000;
const IN_FLIGHT_MAX = 1_000;
const TRIES_MAX = 2;

export type Looked<T> = T & { tookMs: number };

export type Texts = { kind: 'texts'; texts: string[] } | Exclude<Answer, { kind: 'addresses' }>;

/** How long a look-up may take in all; never longer than `LOOKUP_TIMEOUT_MS`. */
export interface Within {
  withinMs: number;
}

/** Look-ups at the resolvers of the operator. None of them rejects. */
export interface DnsClient {
  resolve4(name: string, within?: Within): Promise<Looked<Answer>>;
  resolve6(name: string, within?: Within): Promise<Looked<Answer>>;
  /** Each record's strings joined. */
  resolveTxt(name: string, within?: Within): Promise<Looked<Texts>>;
}

/**
 * Asks one server and, when that fails, once more: the next one, or the same where there is only one. Who answered is
 * asked first from then on. Nothing is cached: the resolver behind it does that, by the list's own TTL.
 */
export function createDnsClient({ servers, clock }: { servers: readonly string[]; clock: Clock }): DnsClient {
  const resolvers = (servers.length === 0 ? systemServers() : servers).map((server) =>
    createFreshResolver(server, TRY_TIMEOUT_MS),
  );
  const turns = createTurns(IN_FLIGHT_MAX, clock);
  let preferred = 0;

  async function attempt<T>(ask: (resolver: Resolver) => Promise<T>, deadline: number): Promise<T | Unanswered> {
    let last: Unanswered = { kind: 'timeout' };
    const first = preferred;
    for (let tried = 0; tried < TRIES_MAX; tried++) {
      const left = deadline - clock.monotonic();
      const index = (first + tried) % resolvers.length;
      const resolver = resolvers[index];
      if (left <= 0 || resolver === undefined) break;
      const answer = await timed(resolver.ask(ask), Math.min(TRY_TIMEOUT_MS, left), clock);
      if (!isUnanswered(answer) || answer.kind === 'none') {
        preferred = index;
        return answer;
      }
      last = answer;
    }
    return last;
  }

  async function look<T extends object>(
    ask: (resolver: Resolver) => Promise<T>,
    within: Within | undefined,
  ): Promise<Looked<T | Unanswered>> {
    const begun = clock.monotonic();
    const deadline = begun + Math.min(within?.withinMs ?? LOOKUP_TIMEOUT_MS, LOOKUP_TIMEOUT_MS);
    const turn = await turns.take(deadline);
    if (turn === null) return { kind: 'timeout', tookMs: clock.monotonic() - begun };
    try {
      return { ...(await attempt(ask, deadline)), tookMs: clock.monotonic() - begun };
    } finally {
      turn.release();
    }
  }

  const addresses = (found: string[]) => ({ kind: 'addresses' as const, addresses: found });
  return {
    resolve4: (name, within) => look((resolver) => resolver.resolve4(name).then(addresses), within),
    resolve6: (name, within) => look((resolver) => resolver.resolve6(name).then(addresses), within),
    resolveTxt: (name, within) =>
      look(
        (resolver) =>
          resolver
            .resolveTxt(name)
            .then((texts) => ({ kind: 'texts' as const, texts: texts.map((strings) => strings.join('')) })),
        within,
      ),
  };
}

type Unanswered = Exclude<Answer, { kind: 'addresses' }>;

function isUnanswered(answer: unknown): answer is Unanswered {
  const { kind } = Object(answer);
  return kind === 'none' || kind === 'failed' || kind === 'timeout';
}

function systemServers(): string[] {
  return new Resolver().getServers();
}

/** c-ares looks at its timeouts only once a second, so that the time of a try is kept here. */
function timed<T>(asked: Promise<T>, timeoutMs: number, clock: Clock): Promise<T | Unanswered> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => resolve({ kind: 'timeout' }));
    asked.then(
      (answer) => {
        timer.cancel();
        resolve(answer);
      },
      (err) => {
        timer.cancel();
        resolve(unanswered(err));
      },
    );
  });
}

/** Node's codes without their first letter: SERVFAIL, REFUSED, CONNREFUSED. Its messages hold the name, and so a key. */
function unanswered(err: unknown): Unanswered {
  const { code } = Object(err);
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'none' };
  if (code === 'ETIMEOUT' || code === 'ECANCELLED') return { kind: 'timeout' };
  return { kind: 'failed', error: typeof code === 'string' ? code.replace(/^E/, '') : 'UNKNOWN' };
}

interface Turn {
  release(): void;
}

/** At most `max` turns at once; who waits gives up at its deadline. */
function createTurns(max: number, clock: Clock) {
  const waiting = new Set<(turn: Turn) => void>();
  let taken = 0;

  function turnOf(): Turn {
    return {
      release() {
        const [next] = waiting;
        if (next === undefined) taken--;
        else next(turnOf());
      },
    };
  }

  return {
    take(deadline: number): Promise<Turn | null> | Turn {
      if (taken < max) {
        taken++;
        return turnOf();
      }
      return new Promise((resolve) => {
        const give = (turn: Turn | null) => {
          timer.cancel();
          waiting.delete(give);
          resolve(turn);
        };
        const timer = clock.after(deadline - clock.monotonic(), () => give(null));
        waiting.add(give);
      });
    },
  };
}
