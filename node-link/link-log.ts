import type { Logger } from '../kernel/logger.js';
import type { Welcome__Output } from '../proto/generated/picket/link/v1/Welcome.js';
import type { StreamEnd } from './stream.js';

/** Logs the changes of a link: one line when the connection is lost, and no more until it is restored. */
export interface LinkLog {
  connected(address: string, welcome: Welcome__Output): void;
  /** `refused`: retried only every few minutes. `wasWelcomed`: the lost stream was in use. */
  disconnected(address: string, end: StreamEnd, how: { refused: boolean; wasWelcomed: boolean }): void;
}

export function createLinkLog(logger: Logger): LinkLog {
  let failureLogged = false;
  let duplicateLogged = false;

  /** Also logged after the other process has disconnected this one. */
  function duplicate(detail: object): void {
    if (!duplicateLogged) {
      logger.error(detail, 'another process is connected with this credential, retrying until it disconnects');
    }
    duplicateLogged = true;
  }

  return {
    connected(address, { nodeId, location }) {
      failureLogged = false;
      duplicateLogged = false;
      logger.info({ address, node: nodeId, location }, 'connected');
    },
    disconnected(address, end, { refused, wasWelcomed }) {
      const detail = { address, code: end.code, detail: end.detail };
      if (refused) logger.error(detail, `refused by the control plane (${end.code}), retrying every 5 minutes`);
      else if (wasWelcomed)
        logger.warn(detail, 'disconnected, reconnecting; new records are stored on disk until then');
      else if (end.code === 'duplicate') duplicate(detail);
      else if (!failureLogged) logger.warn(detail, 'cannot connect, retrying');
      failureLogged = true;
    },
  };
}
