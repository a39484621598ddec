import { statfs } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { HttpConnections } from '../connections/connection-limit.js';
import { loggedPath, type Mount } from '../mount.js';
import { requestIdOf, stateOf } from '../state.js';
import type { MetricsAccess } from './metrics-access.js';

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface HttpMetrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
}

/** Registers the HTTP metrics. Their label is the route template, because a series for each id would be too many. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const duration = new Histogram({
    name: 'picket_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response, by route template.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS_S,
    registers: [registry],
  });
  const total = new Counter({
    name: 'picket_http_requests_total',
    help: 'Requests by route template and response status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  return {
    observe({ method, route, status, seconds }) {
      duration.observe({ method, route }, seconds);
      total.inc({ method, route, status: String(status) });
    },
  };
}

/** Registers the metrics of the connections of the HTTP port. */
export function registerConnectionMetrics(
  registry: Registry,
  connections: Pick<HttpConnections, 'open' | 'turnedAway'>,
): void {
  new Gauge({
    name: 'picket_http_connections_open',
    help: 'Open connections of the HTTP port.',
    registers: [registry],
    collect() {
      this.set(connections.open());
    },
  });
  new Counter({
    name: 'picket_http_connections_turned_away_total',
    help: 'Connections of the HTTP port that were ended because too many were open.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(connections.turnedAway());
    },
  });
}

/** Registers CPU, memory, event loop and garbage collection of this process, and the space that it has. */
export function registerProcessMetrics(registry: Registry, dataDir: string): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'picket_data_dir_free_bytes',
    help: 'Free space on the disk of PICKET_DATA_DIR, which has the embedded database and the log of the terminal.',
    registers: [registry],
    async collect() {
      const { bavail, bsize } = await statfs(dataDir);
      this.set(bavail * bsize);
    },
  });
}

/** Returns `GET /metrics` in the Prometheus text format. */
export function metricsMount(registry: Registry, requireAccess: MetricsAccess): Mount {
  return {
    path: '/metrics',
    limit: 'none',
    async handle(ctx) {
      await requireAccess(ctx);
      ctx.set('Content-Type', registry.contentType);
      ctx.body = await registry.metrics();
    },
  };
}

const MEASURED_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Returns the label of a method. A client can send any method to any route, and each pair would create sixteen lines, so
 * methods that the route does not have share one label. HEAD does the work of GET.
 */
function measuredMethod(method: string, isRefused: boolean): string {
  const measured = method === 'HEAD' ? 'GET' : method;
  return MEASURED_METHODS.has(measured) && !isRefused ? measured : 'other';
}

/**
 * Returns the middleware that measures each request and logs one line for it: reads at debug, changes and refusals at
 * info.
 */
export function observe(metrics: HttpMetrics, clock: Clock, logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedMs = clock.monotonic();
    ctx.state['routePath'] = 'unmatched';
    await next();
    const tookMs = clock.monotonic() - startedMs;
    const state = stateOf(ctx);
    const { method } = ctx;
    const route = state.routePath ?? 'unmatched';
    const measured = measuredMethod(method, state.methodRefused === true);
    metrics.observe({ method: measured, route, status: ctx.status, seconds: tookMs / 1000 });
    // While something starts, readiness is polled and answers 503.
    const isRead = method === 'GET' || method === 'HEAD';
    const level = isRead && (ctx.status < 400 || route === '/readyz') ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const line = { request_id: requestIdOf(ctx), method, path: loggedPath(ctx), route, status: ctx.status };
    const workspace = state.identity?.actor?.workspaceId;
    logger[level](
      { ...line, took_ms: Math.round(tookMs * 10) / 10, ...(workspace === undefined ? {} : { workspace }) },
      'request',
    );
  };
}
