import { Registry } from 'prom-client';
import { systemClock } from '../kernel/clock.js';
import { listenProblem, PortInUseError } from '../kernel/listen-problem.js';
import { createLogger, type Logger } from '../kernel/logger.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { picketVersion } from '../kernel/version.js';
import { ensureFirstRun } from './accounts/first-run/first-run.js';
import { createRefusals } from './audit/refusals.js';
import { readProviders } from './blacklist/lists/providers.js';
import { watchClockOffset } from './clock-offset.js';
import type { Product } from './composition.js';
import { type Config, readConfig } from './config.js';
import { openFoundation } from './foundation.js';
import { createHttpApp } from './http/app.js';
import { connectionLimitsFor } from './http/connections/connection-limit.js';
import { readDescriptorsMax } from './http/connections/file-descriptors.js';
import { healthMounts, type ReadinessProbes } from './http/health.js';
import { createIdempotency } from './http/idempotency/idempotency.js';
import { createIdempotencyStore } from './http/idempotency/store.js';
import { createGuessLimit } from './http/limits/guess-limit.js';
import { createRateLimiter } from './http/limits/rate-limit.js';
import { createRateLimitStore } from './http/limits/rate-limit-store.js';
import {
  createHttpMetrics,
  metricsMount,
  registerConnectionMetrics,
  registerProcessMetrics,
} from './http/metrics/metrics.js';
import { createMetricsAccess } from './http/metrics/metrics-access.js';
import { createDocsMount } from './http/openapi/docs.js';
import { withOpenApiRoute } from './http/openapi/document.js';
import { listen } from './http/server.js';
import { PLANS } from './plans/plans.js';
import type { Base } from './product/base.js';
import { composeProduct } from './product.js';
import { watchStalls } from './stalls.js';
import { isDatabaseAway, isDatabaseUnavailable } from './storage/unavailable.js';

/** A shutdown waits no longer than this; service managers kill a process after 10 s. */
const SHUTDOWN_MS_MAX = 9_500;
/** Requests in progress are finished within this, for example log-ins that wait for the hashes of others. */
const HTTP_GRACE_MS = 8_000;
/** The background work stops after this, even if requests are in progress: deliveries need 5 s to end. */
const BACKGROUND_AFTER_MS = 2_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const catalogue = readProviders(config.blacklists);
  const version = picketVersion();
  const logger = createLogger({
    ...{ name: 'control-plane', level: config.logLevel, isBrief: isDatabaseUnavailable },
    outage: { of: 'the database', isSign: isDatabaseAway, clock: systemClock },
  });
  const foundation = await openFoundation(config, logger);
  const stop = await start({ ...foundation, config, version, catalogue, registry: new Registry() });
  logger.info({ url: config.publicUrl, grpc_port: config.grpcPort, version }, 'ready');
  stopOnSignals(stop, logger);
}

/** Opens all slices and both ports, then starts the background work. Resolves with the function that stops all of it. */
async function start(base: Base): Promise<() => Promise<void>> {
  const { config, mongo, clock, random, registry } = base;
  registerProcessMetrics(registry, config.dataDir);
  watchStalls(base);
  const clockOffset = watchClockOffset({ ...base, databaseClock: clock, clock: systemClock });
  const product = await composeProduct().open(base);
  const { nodes, streams, live } = product.slices;
  await ensureFirstRun({ ...base, keys: base.apiKeys, publicUrl: config.publicUrl, file: config.firstRunFile });
  const state = { draining: false, grpcListening: false };
  const { app, limits } = await openHttp(base, product, {
    pingDatabase: () => mongo.db.command({ ping: 1 }),
    grpcListening: () => state.grpcListening,
    connectedProbes: nodes.connectedProbes,
    draining: () => state.draining,
  });
  await product.ready();
  await opened(streams.server.listen(config.host, config.grpcPort), config, config.grpcPort, 'PICKET_GRPC_PORT');
  state.grpcListening = true;
  for (const limit of limits) limit.start();
  const { host, httpPort: port, trustedProxies } = config;
  const connectionLimits = connectionLimitsFor(await readDescriptorsMax());
  const listening = listen({ app, host, port, trustedProxies, connectionLimits, clock, random, logger: base.logger });
  const server = await opened(listening, config, config.httpPort, 'PICKET_HTTP_PORT');
  registerConnectionMetrics(registry, server.connections);
  await product.start();
  return async () => {
    state.draining = true;
    // Streams first: results that probes consider stored must be stored, and nodes need time to reconnect elsewhere.
    const requestsEnded = server.close(HTTP_GRACE_MS);
    // These would never end by themselves.
    live.endAll();
    await Promise.all([streams.server.drain(), Promise.race([requestsEnded, systemClock.sleep(BACKGROUND_AFTER_MS)])]);
    await Promise.all([requestsEnded, product.stop(), clockOffset.stop()]);
    base.authority.close();
    await Promise.all(limits.map((limit) => limit.stop()));
    await mongo.close();
  };
}

/** Returns the opened port. Its error names the setting, because the error of the system does not. */
async function opened<Port>(port: Promise<Port>, { host }: Config, number: number, portVariable: string) {
  return port.catch((error: unknown) => {
    throw listenProblem(error, { host, port: number, portVariable }) ?? error;
  });
}

/** Returns the HTTP application of the product's routes and mounts, and its limits, which are not started. */
async function openHttp(base: Base, product: Product<unknown>, readiness: ReadinessProbes) {
  const { config, version, db, clock, random, logger, registry, runRequestTransaction: runTransaction } = base;
  const rateStore = createRateLimitStore(db);
  const idempotencyStore = createIdempotencyStore(db);
  await Promise.all([rateStore.ensureIndexes(), idempotencyStore.ensureIndexes()]);
  const about = { version, publicUrl: config.publicUrl };
  const rateLimiter = createRateLimiter({
    store: rateStore,
    limits: { override: config.rateLimit, ofActor: (actor) => PLANS[actor.plan].requestsPerMinute },
    ...{ clock, logger },
  });
  const guesses = createGuessLimit({ what: 'metrics token', store: rateStore, clock, logger });
  const refusals = createRefusals({ ...base, runTransaction, store: rateStore });
  const app = createHttpApp({
    routes: withOpenApiRoute(product.routes, about),
    mounts: [
      ...healthMounts(readiness, clock),
      metricsMount(registry, createMetricsAccess({ token: config.metricsToken, guesses })),
      await createDocsMount(),
      ...product.mounts,
    ],
    authenticators: product.authenticators,
    runTransaction,
    idempotency: createIdempotency({ ...base, runTransaction, store: idempotencyStore }),
    recordRefusal: refusals.record,
    rateLimiter,
    trustedProxies: config.trustedProxies,
    metrics: createHttpMetrics(registry),
    publicUrl: config.publicUrl,
    ...{ clock, random, logger },
  });
  return { app, limits: [rateLimiter, guesses, refusals] };
}

function stopOnSignals(stop: () => Promise<void>, logger: Logger): void {
  let stopping = false;
  const once = (reason: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    systemClock.after(SHUTDOWN_MS_MAX, () => {
      logger.warn('not everything ended in time');
      process.exit(0);
    });
    stop().then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => once(signal));
  // Started by the supervisor, whose end closes this channel.
  process.on('disconnect', () => once('the supervisor is gone'));
}

/** Prints one line if the cause is known, otherwise the stack. Returns the exit code. */
function failed(error: unknown): number {
  const known = error instanceof SettingError || isDatabaseUnavailable(error);
  const message = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  const prefix = isDatabaseUnavailable(error) ? 'the database cannot be reached: ' : '';
  process.stderr.write(`picket: ${prefix}${message}\n`);
  // The supervisor restarts the control plane, unless it ended because of its settings. A port may become free.
  return error instanceof SettingError && !(error instanceof PortInUseError) ? EXIT_CONFIG : 1;
}

main().catch((error: unknown) => process.exit(failed(error)));
