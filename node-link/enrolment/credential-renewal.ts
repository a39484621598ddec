import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { CredentialKeeper } from './credential-keeper.js';

const CHECK_PERIOD_MS = 3_600_000;

/** Rotates the credential of a node when it is old. */
export interface CredentialRenewal {
  /** Checks the age now, in addition to the check every hour. */
  check(): void;
  stop(): void;
}

export function startCredentialRenewal(needs: {
  keeper: CredentialKeeper;
  /** Returns the address of the connected control plane; null without a connection. */
  address(): string | null;
  /** There is a new credential. */
  renewed(): void;
  clock: Clock;
  logger: Logger;
}): CredentialRenewal {
  const { keeper, clock, logger } = needs;

  function check(): void {
    const address = needs.address();
    if (address === null) return;
    keeper
      .rotateWhenOld(address)
      .then((rotated) => {
        if (rotated) needs.renewed();
      })
      .catch((error) => logger.error({ err: error }, 'rotating the credential failed, retrying in an hour'));
  }

  const timer = clock.every(CHECK_PERIOD_MS, check);
  return { check, stop: () => timer.cancel() };
}
