import { MongoClient } from 'mongodb';
import { Registry } from 'prom-client';
import { readProviders } from '../../control-plane/blacklist/lists/providers.js';
import { readConfig } from '../../control-plane/config.js';
import { foundationOf } from '../../control-plane/foundation.js';
import { withOpenApiRoute } from '../../control-plane/http/openapi/document.js';
import { composeProduct } from '../../control-plane/product.js';
import { createDatabaseClock } from '../../control-plane/storage/clock/database-clock.js';
import { createDatabaseTime } from '../../control-plane/storage/clock/database-time.js';
import { systemClock } from '../../kernel/clock.js';
import { createLogger } from '../../kernel/logger.js';
import { systemRandom } from '../../kernel/random.js';
import { picketVersion } from '../../kernel/version.js';

const KEY_BYTES = 32;
/** Nothing connects to it: slices are opened, and no route is called. */
const NOWHERE = 'mongodb://127.0.0.1:1/picket?replicaSet=none';

/** Resolves to the OpenAPI document that a control plane serves, as text. Needs neither a database nor a network. */
export async function openApiDocumentText(): Promise<string> {
  const config = readConfig({ PICKET_MONGODB_URI: NOWHERE });
  const client = new MongoClient(NOWHERE);
  const db = client.db();
  const foundation = foundationOf({
    ...{ config, key: systemRandom.bytes(KEY_BYTES), random: systemRandom },
    mongo: { client, db, close: () => client.close() },
    clock: createDatabaseClock(systemClock),
    databaseTime: createDatabaseTime(db),
    // Only the gRPC port and the enrolment of nodes use it.
    authority: {} as never,
    logger: createLogger({ name: 'openapi', level: 'silent' }),
  });
  const catalogue = readProviders(config.blacklists);
  const version = picketVersion();
  const product = await composeProduct().assemble({
    ...foundation,
    config,
    version,
    catalogue,
    registry: new Registry(),
  });
  const routes = withOpenApiRoute(product.routes, { version, publicUrl: config.publicUrl });
  const route = routes.find(({ path }) => path === '/v1/openapi.json');
  if (route?.kind !== 'read') throw new Error('no route serves the OpenAPI document');
  const reply = await route.handle({} as never);
  return String(reply.raw?.body);
}
