import { type Judged, passed, unknown } from './finding.js';
import type { MeasuredPage } from './measured.js';

const DAY_S = 86_400;
/** Browsers forget the rule after this time; half a year is what preload lists and graders ask for at least. */
const HSTS_SECONDS_MIN = 180 * DAY_S;

/** Returns the finding on HSTS, which holds for the whole host; none without https, where browsers ignore the header. Pure. */
export function judgeTransport(page: MeasuredPage): Judged[] {
  if (!page.url.startsWith('https:')) return [];
  return [judgeWhole(page, 'strict-transport-security', 'hsts', judgeHsts)];
}

/** Returns the findings on the other security headers of a page. Pure. */
export function judgeHeaders(page: MeasuredPage): Judged[] {
  const option = page.headers.get('x-frame-options') ?? null;
  return [
    judgeWhole(page, 'content-security-policy', 'csp', judgeCsp),
    judgeWhole(page, 'content-security-policy', 'framing', (csp) => judgeFraming(csp, option)),
    judgeWhole(page, 'x-content-type-options', 'content_type', judgeContentType),
    judgeWhole(page, 'referrer-policy', 'referrer', judgeReferrer),
    judgePermissions(page.headers.get('permissions-policy') ?? null),
    ...judgeVersions(page.headers),
  ];
}

/** What is missing from a header could change what the rest of it means. */
function judgeWhole(
  { headers, cutHeaders }: MeasuredPage,
  name: string,
  code: string,
  judgeHeader: (value: string | null) => Judged,
): Judged {
  if (!cutHeaders.has(name)) return judgeHeader(headers.get(name) ?? null);
  return { ...unknown(code, `The header “${name}” is too long to be read.`), next_step: 'Shorten the header.' };
}

function judgeHsts(header: string | null): Judged {
  const fix = 'Send “Strict-Transport-Security: max-age=31536000; includeSubDomains”.';
  const digits = /(?:^|;)\s*max-age\s*=\s*"?(\d{1,15})"?\s*(?:;|,|$)/i.exec(header ?? '')?.[1];
  if (header === null || digits === undefined) {
    const message = 'The page does not tell browsers to use https always (HSTS).';
    return { code: 'hsts_missing', severity: 'medium', message, next_step: fix, evidence: header };
  }
  if (Number(digits) >= HSTS_SECONDS_MIN) return passed('hsts', 'Browsers use https always (HSTS).', header);
  const message = `Browsers forget after ${Math.floor(Number(digits) / DAY_S)} days to use https always (HSTS).`;
  return { code: 'hsts_short', severity: 'low', message, next_step: fix, evidence: header };
}

function judgeCsp(header: string | null): Judged {
  if (header === null)
    return {
      code: 'csp_missing',
      severity: 'medium',
      evidence: null,
      message: 'No content security policy limits which scripts run on the page.',
      next_step: 'Send a “Content-Security-Policy” with at least “default-src ’self’”.',
    };
  const allowed = listOf(header).map(scriptsAllowed);
  // A script runs only if all policies allow it.
  const isWeak = (['eval', 'inline', 'anywhere'] as const).some((kind) => allowed.every((policy) => policy[kind]));
  if (!isWeak) return passed('csp', 'A content security policy limits which scripts run.', header);
  return {
    code: 'csp_weak',
    severity: 'low',
    evidence: header,
    message: 'The content security policy lets scripts run that someone has put into the page.',
    next_step: 'Remove “unsafe-inline”, “unsafe-eval” and “*” from “script-src”, and use nonces or hashes.',
  };
}

/** Which scripts a policy allows, whatever other policies say. */
function scriptsAllowed(policy: string): { eval: boolean; inline: boolean; anywhere: boolean } {
  const sources = directive(policy, 'script-src') ?? directive(policy, 'default-src');
  if (sources === null) return { eval: true, inline: true, anywhere: true };
  // With a nonce or a hash, browsers ignore 'unsafe-inline'.
  const isExact = sources.some((source) => /^'(nonce|sha\d{3})-/.test(source));
  return {
    eval: sources.includes("'unsafe-eval'"),
    inline: sources.includes("'unsafe-inline'") && !isExact,
    anywhere: sources.includes('*'),
  };
}

/** With `frame-ancestors` in any policy, browsers ignore X-Frame-Options. */
function judgeFraming(csp: string | null, option: string | null): Judged {
  const ancestors = listOf(csp ?? '').flatMap((policy) => {
    const sources = directive(policy, 'frame-ancestors');
    return sources === null ? [] : [sources];
  });
  const isLimited = ancestors.length === 0 ? isFramingOption(option) : ancestors.some((of) => !of.includes('*'));
  const evidence = ancestors.length === 0 ? option : csp;
  if (isLimited) return passed('framing', 'Other websites cannot show the page in a frame.', evidence);
  return {
    code: 'framing_allowed',
    severity: 'medium',
    evidence,
    message: 'Any website can show the page in a frame and make people click in it.',
    next_step: 'Send “Content-Security-Policy: frame-ancestors ’self’” or “X-Frame-Options: SAMEORIGIN”.',
  };
}

/** Browsers accept the header several times if all its values are equal. */
function isFramingOption(option: string | null): boolean {
  const values = new Set((option ?? '').split(',').map((value) => value.trim().toLowerCase()));
  return values.size === 1 && (values.has('deny') || values.has('sameorigin'));
}

/** Of several values, the first counts (Fetch, section 3.7). */
function judgeContentType(header: string | null): Judged {
  if (/^\s*nosniff\s*(,|$)/i.test(header ?? ''))
    return passed('content_type', 'Browsers do not guess types of files.', header);
  return {
    code: 'content_type_sniffed',
    severity: 'low',
    evidence: header,
    message: 'Browsers may run a file as a script although it is none.',
    next_step: 'Send “X-Content-Type-Options: nosniff”.',
  };
}

const LEAKING = /^\s*(unsafe-url|no-referrer-when-downgrade)\s*$/i;

function judgeReferrer(header: string | null): Judged {
  const last = header?.split(',').at(-1) ?? null;
  if (last !== null && !LEAKING.test(last))
    return passed('referrer', 'Other websites do not get the addresses of your pages.', header);
  return {
    code: 'referrer_open',
    severity: 'low',
    evidence: header,
    message: 'No policy says how much of its address the page tells to other websites.',
    next_step: 'Send “Referrer-Policy: strict-origin-when-cross-origin”.',
  };
}

function judgePermissions(header: string | null): Judged {
  if (header !== null) return passed('permissions', 'A policy limits what the page may use of the device.', header);
  return {
    code: 'permissions_missing',
    severity: 'info',
    evidence: null,
    message: 'No policy limits whether the page and its frames may use the camera, the microphone or the location.',
    next_step: 'Send a “Permissions-Policy”, such as “camera=(), microphone=(), geolocation=()”.',
  };
}

function judgeVersions(headers: ReadonlyMap<string, string>): Judged[] {
  const shown = ['server', 'x-powered-by'].flatMap((name) => {
    const value = headers.get(name);
    return value !== undefined && /\d+\.\d/.test(value) ? [`${name}: ${value}`] : [];
  });
  if (shown.length === 0) return [];
  return [
    {
      code: 'version_shown',
      severity: 'info',
      evidence: shown.join('; '),
      message: 'The server tells everybody which version it runs.',
      next_step: 'Turn off the version in these headers, for example “server_tokens off” in nginx.',
    },
  ];
}

/** Returns the policies of a header. Several headers are joined with commas, and a policy contains none. */
function listOf(header: string): string[] {
  return header.split(',').filter((policy) => policy.trim() !== '');
}

/** Returns the sources of a directive in lower case; null without it. The first one of a name counts (CSP 3, section 2.2.1). */
function directive(policy: string, name: string): string[] | null {
  for (const text of policy.split(';')) {
    const [first, ...sources] = text.trim().toLowerCase().split(/\s+/);
    if (first === name) return sources;
  }
  return null;
}
