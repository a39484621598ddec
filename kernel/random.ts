import { randomBytes } from 'node:crypto';

/** The only source of chance in product code; a test passes a seeded one. */
export interface Random {
  /** Uniform in [0, 1). Not for secrets. */
  fraction(): number;
  /** Cryptographically strong bytes, for secrets and identifiers. */
  bytes(length: number): Buffer;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (length) => randomBytes(length),
};
