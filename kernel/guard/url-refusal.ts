import type { GuardedFetchFailure } from '../fetch-failure.js';
import { canonicalHost, type TargetGuard } from './target-guard.js';

/** Ports of other protocols such as SMTP, which must not receive HTTP: https://fetch.spec.whatwg.org/#port-blocking. */
const BAD_PORTS: ReadonlySet<string> = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 ' +
    '123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 ' +
    '990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** Returns why this URL is never fetched; null when its host may be resolved. Also validates URLs in the API. */
export function urlRefusal(url: string, guard: TargetGuard): { code: GuardedFetchFailure; message: string } | null {
  if (!URL.canParse(url)) return { code: 'invalid_url', message: 'must be an absolute URL' };
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return { code: 'invalid_url', message: 'must start with http:// or https://' };
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return { code: 'invalid_url', message: 'must not contain a user name or password' };
  }
  if (canonicalHost(parsed.hostname) === null) return { code: 'invalid_url', message: 'must have a valid host' };
  if (BAD_PORTS.has(parsed.port))
    return { code: 'invalid_url', message: 'must not have a port that is reserved for another protocol' };
  const refusal = guard.hostRefusal(parsed.hostname);
  return refusal === null
    ? null
    : { code: 'blocked_target', message: `must not point to a blocked address: ${refusal}` };
}
