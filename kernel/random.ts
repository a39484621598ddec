import { randomBytes } from 'node:crypto';

/** The only source of randomness in product code. A test passes a seeded one. */
export interface Random {
  /** Returns a uniformly distributed number in [0, 1). Not for secrets. */
  fraction(): number;
  /** Returns cryptographically strong bytes, for secrets and identifiers. */
  bytes(length: number): Buffer;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (length) => randomBytes(length),
};
