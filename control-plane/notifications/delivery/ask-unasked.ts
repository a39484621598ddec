import type { Logger } from '../../../kernel/logger.js';
import type { Recipients } from '../../recipients/recipients.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { WorkspaceSystemActor } from '../notifications.js';

interface AskUnaskedNeeds {
  recipients: Pick<Recipients, 'ask'>;
  systemActor: WorkspaceSystemActor;
  runTransaction: RunTransaction;
  logger: Logger;
}

/**
 * Asks addresses that a message could not reach because nobody has asked them, such as when the owner of the workspace had
 * not confirmed their own address. Never rejects.
 */
export type AskUnasked = (workspaceId: string, addresses: readonly string[]) => Promise<void>;

export function createAskUnasked({ recipients, systemActor, runTransaction, logger }: AskUnaskedNeeds): AskUnasked {
  return async (workspaceId, addresses) => {
    if (addresses.length === 0) return;
    try {
      const actor = await systemActor(workspaceId);
      await runTransaction((tx) => recipients.ask(tx, actor, { added: [], kept: addresses }));
    } catch (err) {
      logger.warn(
        { err, workspace: workspaceId },
        'failed to ask recipients of an e-mail channel; the next notification tries it again',
      );
    }
  };
}
