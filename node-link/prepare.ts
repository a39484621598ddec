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

/** Another process uses the data directory. `message` is one line. */
export class DirectoryInUseError extends Error {}

/** What a node needs to connect. */
export interface PreparedNode {
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
}

interface NodeNeeds {
  kind: 'probe' | 'agent';
  config: { dataDir: string; join: JoinToken | null };
  version: string;
  openChannel: OpenChannel;
  clock: Clock;
  logger: Logger;
}

/**
 * Locks the data directory and returns the credential of the node. The credential of an earlier join takes precedence;
 * without one, the join token is exchanged for it. Throws SettingError, DirectoryInUseError or EnrolError.
 */
export async function prepareNode(needs: NodeNeeds): Promise<PreparedNode> {
  const { config, logger } = needs;
  await takeDirectory(needs.kind, config.dataDir);
  const credentialFile = createCredentialFile(config.dataDir);
  const saved = credentialFile.load();
  if (saved !== null) {
    if (config.join !== null) {
      logger.info({ node: saved.nodeId }, 'has joined before: using the existing credential, ignoring the join token');
    }
    return { credentials: saved, credentialFile };
  }
  if (config.join === null) {
    const why = `there is no credential in ${config.dataDir}, so a join token is required`;
    throw new SettingError('--join', `is missing (PICKET_JOIN_TOKEN): ${why}`);
  }
  const credentials = await enrol({ ...needs, token: config.join, hostname: hostname() });
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
    throw new DirectoryInUseError(`another ${kind} is running on ${directory}`);
  }
}
