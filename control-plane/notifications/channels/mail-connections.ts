import { nextToServe, type Place, type PlaceLimits } from '../delivery/queues/places.js';

/** Who wants to send a mail. */
export interface MailUse {
  workspaceId: string;
  /** A test of a channel: alerts go before it. */
  isTest: boolean;
}

/** Limits how many mails are sent at once, and shares the connections fairly. */
export interface MailConnections {
  /**
   * Resolves to true when the caller may send; it must then call `release` with the same object. Resolves to false when
   * `signal` is aborted before that.
   */
  acquire(use: MailUse, signal: AbortSignal): Promise<boolean>;
  release(use: MailUse): void;
}

/** A mail that waits for a connection. Tests count as slow, so that they never take all connections. */
interface Waiting extends Place {
  use: MailUse;
  admit(): void;
}

/** Tests have so many at most, so that an alert never waits until tests end. */
const TEST_CONNECTIONS_MAX = 2;

function limitsOf(connections: number): PlaceLimits {
  const ofWorkspace = Math.max(1, connections - 1);
  return {
    ...{ all: connections, unproven: TEST_CONNECTIONS_MAX, slow: TEST_CONNECTIONS_MAX },
    // One stays free: an alert to many people must not delay that of another workspace, should the mail server be slow.
    ...{ crowded: ofWorkspace, workspace: ofWorkspace, workspaceSlow: TEST_CONNECTIONS_MAX },
  };
}

/** Shares connections as the outbox shares its places: the next mail is of the workspace with the fewest, alerts first. */
export function createMailConnections(connections: number): MailConnections {
  const limits = limitsOf(connections);
  const waiting = new Set<Waiting>();
  const sending = new Map<MailUse, Place>();

  function admitNext(): void {
    for (;;) {
      const alerts = [...waiting].filter(({ use }) => !use.isTest);
      const next = nextToServe(alerts, sending.values(), limits) ?? nextToServe(waiting, sending.values(), limits);
      if (next === null) return;
      waiting.delete(next);
      sending.set(next.use, next);
      next.admit();
    }
  }

  return {
    acquire(use, signal) {
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const cancel = () => {
          if (waiting.delete(one)) resolve(false);
        };
        const one: Waiting = {
          ...{ use, workspaceId: use.workspaceId, pace: use.isTest ? 'slow' : 'prompt' },
          admit() {
            signal.removeEventListener('abort', cancel);
            resolve(true);
          },
        };
        waiting.add(one);
        signal.addEventListener('abort', cancel, { once: true });
        admitNext();
      });
    },
    release(use) {
      sending.delete(use);
      admitNext();
    },
  };
}
