import type { Clock } from '../../../kernel/clock.js';
import { AppError, notFound } from '../../errors.js';
import { clientOf } from '../../http/client/client.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import { type RateCounter, secondsToNextWindow } from '../../http/limits/rate-counter.js';
import type { Mount } from '../../http/mount.js';
import type { BackupJobStore } from '../store.js';
import { readLogTail } from './log-tail.js';
import { readPing } from './ping.js';
import { type ReceiveNeeds, receivePing } from './receive.js';
import { PING_PATH, tokenHash } from './token.js';

/** Pings of one job per minute. A job that begins each minute sends two. */
const PINGS_PER_MINUTE = 30;

interface PingMountNeeds extends ReceiveNeeds {
  store: Pick<BackupJobStore, 'findByToken' | 'saveState'>;
  guesses: Pick<GuessLimit, 'check'>;
  counter: Pick<RateCounter, 'used' | 'add'>;
  clock: Clock;
}

/**
 * Returns what receives the pings of jobs: `/ping/{token}`, `/start`, `/fail` and `/{exit code}` below it, by GET, HEAD or
 * POST. The answer is the two letters OK. A wrong URL and one of a deleted job get the same answer.
 */
export function pingMount(needs: PingMountNeeds): Mount {
  return {
    path: PING_PATH,
    below: true,
    secret: true,
    // All servers behind one address send at the full hour. Each job has a limit of its own, and wrong URLs have another.
    limit: 'none',
    methods: ['POST'],
    async handle(ctx) {
      ctx.set('Cache-Control', 'no-store');
      const ping = readPing(ctx);
      const hash = ping === null ? null : tokenHash(ping.token);
      const known = hash === null ? null : await needs.store.findByToken(hash);
      if (ping === null || hash === null || known === null) {
        // After the look-up: others behind the same network address cannot lock out a job.
        await needs.guesses.check(clientOf(ctx).ip, async () => null);
        throw notFound('ping URL');
      }
      countPing(needs, known._id);
      const { token: _token, ...said } = ping;
      // Only after the URL is known to be right: nobody else makes Picket read a body.
      if (!(await receivePing(needs, hash, { ...said, log: await readLogTail(ctx.req) }))) throw notFound('ping URL');
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = 'OK';
    },
  };
}

function countPing({ counter, clock }: PingMountNeeds, jobId: string): void {
  const bucket = `ping/${jobId}`;
  if (counter.used(bucket) < PINGS_PER_MINUTE) return void counter.add(bucket);
  const waitS = secondsToNextWindow(clock);
  throw new AppError('rate_limited', `A backup job can send ${PINGS_PER_MINUTE} pings per minute.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}
