import type { Context } from 'koa';
import type { Clock } from '../../kernel/clock.js';
import { AppError, invalidField } from '../errors.js';
import type { Mount } from './mount.js';

/** The conditions of readiness, each checked for every request. */
export interface ReadinessProbes {
  /** Resolves when the database answers. */
  pingDatabase(): Promise<unknown>;
  grpcListening(): boolean;
  connectedProbes(): number;
  /** True once the process has begun to shut down. */
  draining(): boolean;
}

const PING_MS_MAX = 2_000;
const PROBES_PATTERN = /^(0|[1-9]\d{0,4})$/;

/**
 * Returns `GET /healthz`, which says that the process runs, and `GET /readyz?probes=N`, which says that it can work,
 * with at least N probes.
 */
export function healthMounts(probes: ReadinessProbes, clock: Clock): Mount[] {
  return [
    { path: '/healthz', limit: 'none', handle: (ctx) => reply(ctx, { status: 'ok' }) },
    {
      path: '/readyz',
      limit: 'none',
      async handle(ctx) {
        const required = requiredProbes(ctx.querystring);
        const connected = probes.connectedProbes();
        const missing = [
          ...(probes.draining() ? ['the process is shutting down'] : []),
          ...((await answers(probes, clock)) ? [] : ['the database does not answer']),
          ...(probes.grpcListening() ? [] : ['the gRPC port is not open']),
          ...(connected >= required ? [] : [`${connected} of ${required} probes are connected`]),
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

function requiredProbes(querystring: string): number {
  const values = new URLSearchParams(querystring).getAll('probes');
  const [text = '0'] = values;
  if (values.length > 1 || !PROBES_PATTERN.test(text))
    throw invalidField('/query/probes', 'must be a number of probes');
  return Number(text);
}

/** Returns whether the database answers in time. */
async function answers(probes: ReadinessProbes, clock: Clock): Promise<boolean> {
  const timeout = new AbortController();
  const ping = probes.pingDatabase().then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([ping, clock.sleep(PING_MS_MAX, timeout.signal).then(() => false)]);
  timeout.abort();
  return answered;
}
