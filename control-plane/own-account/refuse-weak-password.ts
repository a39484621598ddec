import type { PasswordProblem } from '../accounts/passwords/password-strength.js';
import { invalidFields } from '../errors.js';

/** Throws 422 unless the password is strong enough. `about` are words that others connect with the person. */
export async function refuseWeakPassword(
  problem: PasswordProblem,
  path: string,
  password: string,
  about: readonly string[],
): Promise<void> {
  const found = await problem(password, about);
  if (found !== null) throw invalidFields([{ path, ...found }]);
}
