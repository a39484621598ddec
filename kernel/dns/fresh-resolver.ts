import { Resolver } from 'node:dns/promises';

/** The number of queries that share a resolver, and so a socket: their answers must fit into its buffer. */
const SHARED_MAX = 64;

/** Queries one server without any state from earlier answers. */
export interface FreshResolver {
  query<T>(send: (resolver: Resolver) => Promise<T>): Promise<T>;
}

/**
 * c-ares (1.32 and later) gives up on a server after five times its average response time, and ignores a longer timeout:
 * after a few cached answers, it treats a list that needs a second as dead. So its state is discarded: a query after the
 * first answer gets a new resolver. Concurrent queries share one, because a new resolver for each query costs three
 * times the CPU time.
 */
export function createFreshResolver(server: string, timeoutMs: number): FreshResolver {
  let current: Resolver | null = null;
  let shared = 0;

  function fresh(): Resolver {
    // One server and one attempt per resolver: with several servers, c-ares would choose their order itself.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    resolver.setServers([server]);
    return resolver;
  }

  return {
    async query(send) {
      if (current === null || shared >= SHARED_MAX) {
        current = fresh();
        shared = 0;
      }
      const resolver = current;
      shared++;
      try {
        return await send(resolver);
      } finally {
        if (current === resolver) current = null;
      }
    },
  };
}
