import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { SettingError } from '../kernel/settings.js';
import type { OpenChannel } from './channel.js';
import { type CredentialFile, createCredentialFile, type NodeCredentials } from './enrolment/credentials.js';
import { enrol } from './enrolment/enrol.js';
import type { JoinToken } from './enrolment/join-token.js';
import { lockDirectory } from './single-instance.js';

/** Another process works in the data directory. `message` is one line. */
export class DirectoryTakenError extends Error {}

/** What a node has to begin with, once its data directory is its own. */
export interface Beginning {
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
}

/**
 * Makes the data directory this process's own and finds out who this node is: the credential of an earlier join
 * wins; without one the join token is traded for it. Throws SettingError, DirectoryTakenError, EnrolError.
 */
export async function beginNode(options: {
  kind: 'probe' | 'agent';
  config: { dataDir: string; join: JoinToken | null };
  version: string;
  openChannel: OpenChannel;
  clock: Clock;
  logger: Logger;
}): Promise<Beginning> {
  const { config, logger } = options;
  await takeDirectory(options.kind, config.dataDir);
  const credentialFile = createCredentialFile(config.dataDir);
  const saved = credentialFile.load();
  if (saved !== null) {
    if (config.join !== null) {
      logger.info({ node: saved.nodeId }, 'has joined before: its credential is used, the join token is not');
    }
    return { credentials: saved, credentialFile };
  }
  if (config.join === null) {
    const why = `there is no credential in ${config.dataDir} yet, so a join token is needed`;
    throw new SettingError('--join', `is missing (PICKET_JOIN_TOKEN): ${why}`);
  }
  const credentials = await enrol({ ...options, token: config.join, hostname: hostname() });
  credentialFile.save(credentials);
  logger.info({ node: credentials.nodeId, location: credentials.location }, 'joined');
  return { credentials, credentialFile };
}

async function takeDirectory(kind: 'probe' | 'agent', directory: string): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError('--data (PICKET_DATA_DIR)', `cannot be used: ${reason}`);
  }
  if (!(await lockDirectory(kind, directory))) {
    throw new DirectoryTakenError(`another ${kind} is running on ${directory}`);
  }
}
