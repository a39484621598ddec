import { Resolver } from 'node:dns/promises';

/** Questions that share a resolver, and so a socket: their answers fit into its buffer. */
const SHARED_MAX = 64;

/** One server, asked with nothing remembered of earlier answers. */
export interface FreshResolver {
  ask<T>(question: (resolver: Resolver) => Promise<T>): Promise<T>;
}

/**
 * c-ares (1.32 and later) gives up on a server after five times its average answer, whatever timeout it is told: after
 * a few answers from a cache it takes a list that needs a second for a dead one. So its memory is thrown away: whoever
 * asks after the first answer came gets a resolver of their own, and those who ask at the same time share one, which
 * a new one for each would cost three times the processor.
 */
export function createFreshResolver(server: string, timeoutMs: number): FreshResolver {
  let current: Resolver | null = null;
  let shared = 0;

  function fresh(): Resolver {
    // One server for each, and one try: c-ares would keep an order of several of its own.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    resolver.setServers([server]);
    return resolver;
  }

  return {
    async ask(question) {
      if (current === null || shared >= SHARED_MAX) {
        current = fresh();
        shared = 0;
      }
      const resolver = current;
      shared++;
      try {
        return await question(resolver);
      } finally {
        if (current === resolver) current = null;
      }
    },
  };
}
