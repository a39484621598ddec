import type { Context } from 'koa';
import type { Clock } from '../../kernel/clock.js';
import { AppError, invalidField } from '../errors.js';
import type { Mount } from './mount.js';

/** What readiness goes by; each is asked anew for every request. */
export interface ReadinessProbes {
  /** Resolves when the database answers. */
  pingDatabase(): Promise<unknown>;
  grpcListening(): boolean;
  connectedProbes(): number;
  /** true from the moment that the process begins to shut down. */
  draining(): boolean;
}

const PING_MS_MAX = 2_000;
const PROBES_PATTERN = /^(0|[1-9]\d{0,4})$/;

/** `GET /healthz`: the process lives. `GET /readyz?probes=N`: it can do its work, with N probes if asked. */
export function healthMounts(probes: ReadinessProbes, clock: Clock): Mount[] {
  return [
    { path: '/healthz', handle: (ctx) => reply(ctx, { status: 'ok' }) },
    {
      path: '/readyz',
      async handle(ctx) {
        const wanted = probesWanted(ctx.querystring);
        const connected = probes.connectedProbes();
        const missing = [
          ...(probes.draining() ? ['the process is shutting down'] : []),
          ...((await answers(probes, clock)) ? [] : ['the database does not answer']),
          ...(probes.grpcListening() ? [] : ['the gRPC port does not listen']),
          ...(connected >= wanted ? [] : [`${connected} of ${wanted} probes are connected`]),
        ];
        if (missing.length > 0) {
          throw new AppError('unavailable', `Not ready: ${missing.join(', ')}.`, { headers: { 'Retry-After': '1' } });
        }
        reply(ctx, { status: 'ready', probes: connected });
      },
    },
  ];
}

function reply(ctx: Context, data: Record<string, unknown>): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify({ data });
}

function probesWanted(querystring: string): number {
  const values = new URLSearchParams(querystring).getAll('probes');
  const [text = '0'] = values;
  if (values.length > 1 || !PROBES_PATTERN.test(text)) throw invalidField('/query/probes', 'must be a count of probes');
  return Number(text);
}

/** A database that takes longer than this to say anything is as good as away. */
async function answers(probes: ReadinessProbes, clock: Clock): Promise<boolean> {
  const tooLate = new AbortController();
  const ping = probes.pingDatabase().then(
    () => true,
    // Whatever the reason: it does not answer.
    () => false,
  );
  const answered = await Promise.race([ping, clock.sleep(PING_MS_MAX, tooLate.signal).then(() => false)]);
  tooLate.abort();
  return answered;
}
