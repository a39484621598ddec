import { Registry } from 'prom-client';
import t from 'tap';
import { Type } from 'typebox';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { readConfig } from '../../../control-plane/config.js';
import { AppError } from '../../../control-plane/errors.js';
import { openFoundation } from '../../../control-plane/foundation.js';
import { createRouteValidators } from '../../../control-plane/http/input/validate.js';
import { type Route, readRoute } from '../../../control-plane/http/route.js';
import { composeProduct } from '../../../control-plane/product.js';
import { createLogger } from '../../../kernel/logger.js';
import { testDatabase } from '../../helpers/database.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

/** Compiles all schemas of a route, which happens at the first request. Throws what is wrong with them. */
function readOnce(validatorOf: (route: Route) => ReturnType<ReturnType<typeof createRouteValidators>>, route: Route) {
  const validator = validatorOf(route);
  const reads = [() => validator.params({}), () => validator.input('', { kind: 'json', value: {} })];
  for (const read of reads) {
    try {
      read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}

t.test('the schemas of all routes compile, and are compiled at the first request', async (t) => {
  const mongo = await testDatabase();
  const config = readConfig({ PICKET_MONGODB_URI: mongo.uri, PICKET_DATA_DIR: temporaryFolder(t) });
  const foundation = await openFoundation(config, createLogger({ name: 'test', level: 'silent' }));
  const product = await composeProduct().open({
    ...foundation,
    config,
    version: '0.0.0',
    registry: new Registry(),
    catalogue: readProviders({ file: null, keys: new Map() }),
  });
  t.teardown(async () => {
    await product.stop();
    await foundation.mongo.close();
    await mongo.drop();
  });
  const validatorOf = createRouteValidators();
  t.ok(product.routes.length > 100, `${product.routes.length} routes`);
  for (const route of product.routes) readOnce(validatorOf, route);

  const misspelt = readRoute({
    ...{ path: '/v1/x', method: 'POST', access: 'any', tag: 'T', summary: 'S', replies: { 200: null } },
    body: Type.Object({ name: Type.String({ maxLenght: 5 }) }),
    handle: async () => ({ status: 200 }),
  });
  t.doesNotThrow(() => validatorOf(misspelt), 'nothing is compiled at start');
  t.throws(() => readOnce(validatorOf, misspelt), /unknown keyword: "maxLenght"/);
});
