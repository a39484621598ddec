import { type Judged, passed } from './finding.js';
import type { MeasuredPage } from './measured.js';

const NAMED_MAX = 5;
/** Names of cookies that carry a log-in. Scripts need others, such as those of a language or a consent. */
const SESSION = /sess|sid$|auth|token|login|jwt|remember/i;
/** Tokens against forged requests are read by scripts. */
const FOR_SCRIPTS = /csrf|xsrf/i;

/** Returns the findings on the cookies that the first page sets. Pure. */
export function judgeCookies({ url, cookies }: MeasuredPage): Judged[] {
  if (cookies.length === 0) return [passed('cookies', 'The first page sets no cookies.')];
  const insecure = url.startsWith('https:') ? cookies.filter(({ secure }) => !secure) : [];
  const readable = cookies.filter(({ name, httpOnly }) => !httpOnly && SESSION.test(name) && !FOR_SCRIPTS.test(name));
  const loose = cookies.filter(({ sameSite, secure }) => sameSite === '' || (sameSite === 'none' && !secure));
  const findings: Judged[] = [
    ...found(insecure, {
      code: 'cookie_not_secure',
      severity: 'medium',
      message: 'Browsers also send cookies of the website without encryption.',
      next_step: 'Set “Secure” on these cookies.',
    }),
    ...found(readable, {
      code: 'cookie_not_http_only',
      severity: 'medium',
      message: 'Scripts can read cookies that look like those of a log-in.',
      next_step: 'Set “HttpOnly” on these cookies.',
    }),
    ...found(loose, {
      code: 'cookie_same_site',
      severity: 'low',
      message: 'No attribute says whether other websites may make browsers send these cookies.',
      next_step: 'Set “SameSite=Lax” or “SameSite=Strict” on these cookies.',
    }),
  ];
  return findings.length > 0 ? findings : [passed('cookies', 'The cookies of the first page are protected.')];
}

function found(cookies: readonly { name: string }[], finding: Omit<Judged, 'evidence'>): Judged[] {
  if (cookies.length === 0) return [];
  const rest = cookies.length - NAMED_MAX;
  const names = cookies.slice(0, NAMED_MAX).map(({ name }) => name);
  return [{ ...finding, evidence: `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}` }];
}
