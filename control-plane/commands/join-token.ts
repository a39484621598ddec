import { createLogger } from '../../kernel/logger.js';
import { systemActor } from '../actor.js';
import type { Config } from '../config.js';
import { openFoundation } from '../foundation.js';
import { createAgentToken, createProbeToken } from '../nodes/enrolment/join-tokens.js';
import { createLocationStore } from '../nodes/locations/store.js';
import { createNodeStore } from '../nodes/store.js';
import { ArgumentError } from './argument-error.js';

/** The tokens to create. */
export interface WantedTokens {
  /** Codes of check locations, one probe each. */
  locations: readonly string[];
  /** How many servers of the workspace that operates the installation. */
  servers: number;
}

/**
 * Creates a join token for each location, in their order, and then for each server: all of them or none. Throws
 * ArgumentError for an unknown location.
 */
export async function makeJoinTokens(config: Config, wanted: WantedTokens): Promise<string[]> {
  const foundation = await openFoundation(config, createLogger({ name: 'picket', level: 'warn' }));
  const { mongo, workspaces, authority, ids } = foundation;
  try {
    const workspace = await workspaces.operators();
    if (workspace === null)
      throw new Error('no workspace operates this installation yet: start the control plane once first');
    const locations = createLocationStore(mongo.db);
    const known = (await locations.all()).map(({ _id }) => _id);
    const unknown = wanted.locations.find((code) => !known.includes(code));
    if (unknown !== undefined) {
      throw new ArgumentError(
        `unknown check location ${JSON.stringify(unknown)}; the locations are ${known.join(', ')}`,
      );
    }
    const needs = {
      ...foundation,
      ...{ locations, store: createNodeStore(mongo.db) },
      ...{ fingerprint: authority.fingerprint, address: config.grpcAddress },
    };
    const actor = systemActor(workspace, ids.next('evt'));
    return await foundation.runTransaction(async (tx) => {
      const tokens: string[] = [];
      for (const code of wanted.locations) tokens.push((await createProbeToken(needs, tx, actor, code)).token);
      for (let made = 0; made < wanted.servers; made++) tokens.push((await createAgentToken(needs, tx, actor)).token);
      return tokens;
    });
  } finally {
    authority.close();
    await mongo.close();
  }
}
