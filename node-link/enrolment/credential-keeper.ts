import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { OpenChannel } from '../channel.js';
import type { CredentialFile, NodeCredentials } from './credentials.js';
import { ROTATION_PERIOD_MS, rotate } from './rotate.js';

/** The current credential of a node. A new one is saved before it is used. */
export interface CredentialKeeper {
  current(): NodeCredentials;
  /** A session was welcomed with these credentials. */
  accepted(credentials: NodeCredentials): void;
  /** The current credential is refused. Returns true when the previous one is now the current one. */
  fallBack(): boolean;
  /** Rotates a credential that is 30 days old. Resolves to true when there is a new one, to be used from now on. */
  rotateWhenOld(address: string): Promise<boolean>;
}

export function createCredentialKeeper(needs: {
  initial: NodeCredentials;
  file: CredentialFile;
  openChannel: OpenChannel;
  clock: Clock;
  logger: Logger;
}): CredentialKeeper {
  const { file, clock, logger } = needs;
  let current = needs.initial;
  let rotating = false;

  function replace(next: NodeCredentials): void {
    current = next;
    try {
      file.save(next);
    } catch (error) {
      logger.warn({ err: error }, 'failed to write the credential file, continuing with the credential in memory');
    }
  }

  return {
    current: () => current,
    accepted(used) {
      if (current.previous !== null && used.credential === current.credential) replace({ ...current, previous: null });
    },
    fallBack() {
      if (current.previous === null) return false;
      logger.warn('the new credential is refused, trying the previous one');
      replace({ ...current, credential: current.previous, previous: null });
      return true;
    },
    async rotateWhenOld(address) {
      if (rotating || current.previous !== null || clock.now() - current.issuedAtMs < ROTATION_PERIOD_MS) return false;
      rotating = true;
      try {
        current = await rotate({ current, address, openChannel: needs.openChannel, file, clock });
        logger.info('rotated the credential');
        return true;
      } catch (error) {
        logger.warn({ err: error }, 'failed to rotate the credential, retrying in an hour');
        return false;
      } finally {
        rotating = false;
      }
    },
  };
}
