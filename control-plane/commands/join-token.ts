import { createLogger } from '../../kernel/logger.js';
import { systemActor } from '../actor.js';
import type { Config } from '../config.js';
import { openFoundation } from '../foundation.js';
import { createJoinToken } from '../nodes/enrolment.js';
import { createLocationStore } from '../nodes/locations-store.js';
import { createNodeStore } from '../nodes/store.js';
import { ArgumentError } from './argument-error.js';

/** A join token for each of the locations, in their order: all of them or none. Throws ArgumentError for an unknown one. */
export async function makeJoinTokens(config: Config, codes: readonly string[]): Promise<string[]> {
  const foundation = await openFoundation(config, createLogger({ name: 'picket', level: 'warn' }));
  const { mongo, accounts, authority, ids } = foundation;
  try {
    const workspace = await accounts.operators();
    if (workspace === null) throw new Error('the database is empty: start the control plane once before');
    const locations = createLocationStore(mongo.db);
    const known = (await locations.all()).map(({ _id }) => _id);
    const unknown = codes.find((code) => !known.includes(code));
    if (unknown !== undefined) {
      throw new ArgumentError(`there is no check location ${JSON.stringify(unknown)}; there are ${known.join(', ')}`);
    }
    const parts = {
      ...foundation,
      ...{ locations, store: createNodeStore(mongo.db) },
      ...{ fingerprint: authority.fingerprint, address: config.grpcAddress },
    };
    const actor = systemActor(workspace, ids.next('evt'));
    return await foundation.runTransaction(async (tx) => {
      const tokens: string[] = [];
      for (const code of codes) tokens.push((await createJoinToken(parts, tx, actor, code)).token);
      return tokens;
    });
  } finally {
    authority.close();
    await mongo.close();
  }
}
