import type { Account } from '../../api/types.ts';

/** What can prove who the person is. */
export type Way = 'password' | 'totp' | 'passkey' | 'recovery_code';

/** Returns what this person can use in this browser. People of single sign-on may have no password; nothing tells. */
export function waysOf({ second_factor: factors }: Pick<Account, 'second_factor'>, hasPasskeys: boolean): Way[] {
  const ways: readonly [Way, boolean][] = [
    ['password', true],
    ['totp', factors?.totp === true],
    ['passkey', hasPasskeys && (factors?.passkeys ?? 0) > 0],
    ['recovery_code', (factors?.recovery_codes_left ?? 0) > 0],
  ];
  return ways.filter(([, isPossible]) => isPossible).map(([way]) => way);
}
