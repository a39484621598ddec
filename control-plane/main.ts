import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { systemClock } from '../kernel/clock.js';
import { createLogger, type Logger } from '../kernel/logger.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { picketVersion } from '../kernel/version.js';
import { ensureFirstRun } from './accounts/first-run.js';
import { PLANS } from './accounts/plans.js';
import { type Catalogue, readProviders } from './blacklist/lists/providers.js';
import { type Config, readConfig } from './config.js';
import { type Foundation, openFoundation } from './foundation.js';
import { createHttpApp } from './http/app.js';
import { healthMounts } from './http/health.js';
import { homeMounts } from './http/home.js';
import { createIdempotency } from './http/idempotency/idempotency.js';
import { createIdempotencyStore } from './http/idempotency/store.js';
import { createRateLimiter } from './http/limits/rate-limit.js';
import { createRateLimitStore } from './http/limits/rate-limit-store.js';
import { createHttpMetrics, metricsMount, registerProcessMetrics } from './http/metrics.js';
import { createDocsMount } from './http/openapi/docs.js';
import { withOpenApiRoute } from './http/openapi/document.js';
import { listen } from './http/server.js';
import { createInstallMounts } from './install/install.js';
import { registerLocationMetrics } from './nodes/locations/metrics.js';
import { openParts } from './parts.js';

/** After this a shutdown no longer waits: whoever runs us would kill us anyway. */
const SHUTDOWN_MS_MAX = 9_500;
const HTTP_GRACE_MS = 2_000;

/** What install scripts download, made by `scripts/build`. */
const PACKAGES = new URL('../packages/', import.meta.url);

interface Given {
  config: Config;
  version: string;
  foundation: Foundation;
  /** The blacklists. */
  catalogue: Catalogue;
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const catalogue = readProviders(config.blacklists);
  const version = picketVersion();
  const logger = createLogger({ name: 'control-plane', level: config.logLevel });
  const foundation = await openFoundation(config, logger);
  const stop = await start({ config, version, foundation, catalogue });
  logger.info({ url: config.publicUrl, grpc_port: config.grpcPort, version }, 'ready');
  stopOnSignals(stop, logger);
}

/** Builds everything, opens both ports, starts the background work. Resolves with what ends it again. */
async function start(given: Given): Promise<() => Promise<void>> {
  const { config, version, foundation } = given;
  const { mongo, logger, clock, random } = foundation;
  const registry = new Registry();
  registerProcessMetrics(registry);
  const parts = await openParts({ ...given, registry });
  await ensureFirstRun({
    ...foundation,
    keys: foundation.apiKeys,
    publicUrl: config.publicUrl,
    file: config.firstRunFile,
  });
  registerLocationMetrics(registry, parts);

  const rateStore = createRateLimitStore(mongo.db);
  const idempotencyStore = createIdempotencyStore(mongo.db);
  await Promise.all([rateStore.ensureIndexes(), idempotencyStore.ensureIndexes()]);
  const rateLimiter = createRateLimiter({
    store: rateStore,
    clock,
    logger,
    limits: { override: config.rateLimit, ofActor: (actor) => PLANS[actor.plan].requestsPerMinute },
  });
  let draining = false;
  let grpcListening = false;
  const readiness = {
    pingDatabase: () => mongo.db.command({ ping: 1 }),
    grpcListening: () => grpcListening,
    connectedProbes: parts.connectedProbes,
    draining: () => draining,
  };
  const app = createHttpApp({
    routes: withOpenApiRoute(parts.routes, { version, publicUrl: config.publicUrl }),
    mounts: [
      ...healthMounts(readiness, clock),
      metricsMount(registry),
      ...homeMounts({ version, publicUrl: config.publicUrl }),
      await createDocsMount(),
      ...parts.mounts,
      ...createInstallMounts({ publicUrl: config.publicUrl, version, packagesDir: fileURLToPath(PACKAGES) }),
    ],
    authenticators: parts.authenticators,
    runTransaction: foundation.runTransaction,
    idempotency: createIdempotency({ ...foundation, store: idempotencyStore }),
    rateLimiter,
    metrics: createHttpMetrics(registry),
    clock,
    random,
    logger,
  });
  await parts.ready();
  await parts.nodeServer.listen(config.host, config.grpcPort);
  grpcListening = true;
  rateLimiter.start();
  const server = await listen({ app, host: config.host, port: config.httpPort, clock, random });
  await parts.start();
  return async () => {
    draining = true;
    // Results first: what probes are told is stored must be, and their streams go elsewhere meanwhile.
    await Promise.all([parts.nodeServer.drain(), server.close(HTTP_GRACE_MS)]);
    await parts.stop();
    await rateLimiter.stop();
    await mongo.close();
  };
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

main().catch((error: unknown) => {
  const words = error instanceof SettingError ? error.message : error instanceof Error ? (error.stack ?? '') : error;
  process.stderr.write(`picket: ${words}\n`);
  process.exit(error instanceof SettingError ? EXIT_CONFIG : 1);
});
