import type { Judgement } from './judgement.js';

const HSTS_S_MIN = 15_552_000;
const SAFE_POLICIES: ReadonlySet<string> = new Set([
  'no-referrer',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'no-referrer-when-downgrade',
]);

type Headers = Readonly<Record<string, string>>;

/**
 * Returns what the headers of the home page mean. A header that was sent twice is joined with a comma. The plugin has the same
 * function; `test/helpers/wordpress/vectors.json` has examples of both.
 */
export function judgeHeaders(headers: Headers): Judgement {
  const value = (name: string) => (headers[name] ?? '').trim().toLowerCase();
  const found = [
    ['Strict-Transport-Security', hstsProblem(value('strict-transport-security'))],
    ['X-Frame-Options', frameProblem(value('x-frame-options'), value('content-security-policy'))],
    [
      'Content-Security-Policy',
      policyProblem(value('content-security-policy'), value('content-security-policy-report-only')),
    ],
    ['Referrer-Policy', referrerProblem(value('referrer-policy'))],
  ].flatMap(([name, problem]) => (problem === null ? [] : [`${name}: ${problem}`]));
  return found.length === 0
    ? { status: 'passing', evidence: 'all four headers are sent' }
    : { status: 'failing', evidence: found.join(', ') };
}

function hstsProblem(hsts: string): string | null {
  if (hsts === '') return 'missing';
  if (hsts.includes(',')) return 'sent twice';
  const age = /max-age="?(\d{1,10})/.exec(hsts)?.[1];
  return age === undefined || Number(age) < HSTS_S_MIN ? 'shorter than 180 days' : null;
}

function frameProblem(frame: string, policy: string): string | null {
  if (frame.includes(',')) return 'sent twice';
  if (frame === 'deny' || frame === 'sameorigin' || policy.includes('frame-ancestors')) return null;
  return frame === '' ? 'missing' : 'without effect';
}

function policyProblem(policy: string, reported: string): string | null {
  if (policy !== '') return null;
  return reported === '' ? 'missing' : 'only reported';
}

function referrerProblem(policies: string): string | null {
  // A browser uses the last one that it knows.
  const last = policies.split(',').at(-1)?.trim() ?? '';
  if (SAFE_POLICIES.has(last)) return null;
  return last === '' ? 'missing' : 'not safe';
}
