import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { OpenChannel } from '../channel.js';
import type { CredentialFile, NodeCredentials } from './credentials.js';
import { ROTATION_PERIOD_MS, rotate } from './rotate.js';

/** A node's credential as it changes over time. Everything it learns is in the file before it is used. */
export interface CredentialKeeper {
  current(): NodeCredentials;
  /** A session was welcomed with this credential. */
  accepted(credentials: NodeCredentials): void;
  /** The current one is refused; true when the one before is now the current one. */
  fallBack(): boolean;
  /** Asks for a new one when the current one is old. Resolves true when there is a new one, to be used from now on. */
  rotateWhenOld(address: string): Promise<boolean>;
}

export function createCredentialKeeper(options: {
  initial: NodeCredentials;
  file: CredentialFile;
  openChannel: OpenChannel;
  clock: Clock;
  logger: Logger;
}): CredentialKeeper {
  const { file, clock, logger } = options;
  let current = options.initial;
  let rotating = false;

  function keep(next: NodeCredentials): void {
    current = next;
    try {
      file.save(next);
    } catch (error) {
      logger.warn({ err: error }, 'the credential file cannot be written');
    }
  }

  return {
    current: () => current,
    accepted(used) {
      if (current.previous !== null && used.credential === current.credential) keep({ ...current, previous: null });
    },
    fallBack() {
      if (current.previous === null) return false;
      logger.warn('the new credential is refused, trying the one before');
      keep({ ...current, credential: current.previous, previous: null });
      return true;
    },
    async rotateWhenOld(address) {
      if (rotating || current.previous !== null || clock.now() - current.issuedAtMs < ROTATION_PERIOD_MS) return false;
      rotating = true;
      try {
        current = await rotate({ current, address, openChannel: options.openChannel, file, clock });
        logger.info('the credential was rotated');
        return true;
      } catch (error) {
        logger.warn({ err: error }, 'the credential could not be rotated, trying again in an hour');
        return false;
      } finally {
        rotating = false;
      }
    },
  };
}
