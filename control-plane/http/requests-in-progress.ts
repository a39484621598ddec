import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Clock } from '../../kernel/clock.js';

/** The requests that a server is answering, so that a shutdown can finish them. */
export interface RequestsInProgress {
  /** Answers requests until `finish` is called; later ones, on connections that are still open, are passed to `refuse`. */
  listener: RequestListener;
  /** Accepts no new requests, waits up to `graceMs` for those in progress, then closes all connections. */
  finish(server: Server, graceMs: number, clock: Clock): Promise<void>;
}

export function createRequestsInProgress(handlers: {
  answer(req: IncomingMessage, res: ServerResponse): unknown;
  refuse(res: ServerResponse): void;
}): RequestsInProgress {
  const responses = new Set<ServerResponse>();
  let noneLeft: (() => void) | null = null;
  return {
    listener(req, res) {
      if (noneLeft !== null) return handlers.refuse(res);
      responses.add(res);
      res.once('close', () => {
        responses.delete(res);
        if (responses.size === 0) noneLeft?.();
      });
      handlers.answer(req, res);
    },
    async finish(server, graceMs, clock) {
      const finished = new Promise<void>((resolve) => {
        noneLeft = resolve;
      });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Clients must not send their next request on a connection that is about to be closed.
      for (const res of responses) if (!res.headersSent) res.setHeader('Connection', 'close');
      const grace = clock.after(graceMs, () => noneLeft?.());
      if (responses.size === 0) noneLeft?.();
      await finished;
      grace.cancel();
      // Those without a request would stay open for minutes.
      server.closeAllConnections();
      await closed;
    },
  };
}
