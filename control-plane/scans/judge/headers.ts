import { type Judged, passed } from './finding.js';
import type { MeasuredPage } from './measured.js';

const DAY_S = 86_400;
/** Browsers forget the rule after this time; half a year is what preload lists and graders ask for at least. */
const HSTS_SECONDS_MIN = 180 * DAY_S;

/** Returns the findings on the security headers of a page. Pure. */
export function judgeHeaders({ url, headers }: MeasuredPage): Judged[] {
  const csp = headers.get('content-security-policy') ?? null;
  return [
    ...(url.startsWith('https:') ? [judgeHsts(headers.get('strict-transport-security') ?? null)] : []),
    judgeCsp(csp),
    judgeFraming(csp, headers.get('x-frame-options') ?? null),
    judgeContentType(headers.get('x-content-type-options') ?? null),
    judgeReferrer(headers.get('referrer-policy') ?? null),
    judgePermissions(headers.get('permissions-policy') ?? null),
    ...judgeVersions(headers),
  ];
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
  const scripts = directive(header, 'script-src') ?? directive(header, 'default-src');
  const isOpen = scripts === null || scripts.includes("'unsafe-eval'") || scripts.includes('*');
  // With a nonce or a hash, browsers ignore 'unsafe-inline'.
  const runsInline =
    scripts?.includes("'unsafe-inline'") === true && !scripts.some((source) => /^'(nonce|sha\d{3})-/.test(source));
  if (!isOpen && !runsInline) return passed('csp', 'A content security policy limits which scripts run.', header);
  return {
    code: 'csp_weak',
    severity: 'low',
    evidence: header,
    message: 'The content security policy lets scripts run that someone has put into the page.',
    next_step: 'Remove “unsafe-inline”, “unsafe-eval” and “*” from “script-src”, and use nonces or hashes.',
  };
}

function judgeFraming(csp: string | null, option: string | null): Judged {
  const ancestors = csp === null ? null : directive(csp, 'frame-ancestors');
  const isLimited = ancestors === null ? /^\s*(deny|sameorigin)\s*$/i.test(option ?? '') : !ancestors.includes('*');
  if (isLimited)
    return passed('framing', 'Other websites cannot show the page in a frame.', ancestors === null ? option : csp);
  return {
    code: 'framing_allowed',
    severity: 'medium',
    evidence: ancestors === null ? option : csp,
    message: 'Any website can show the page in a frame and make people click in it.',
    next_step: 'Send “Content-Security-Policy: frame-ancestors ’self’” or “X-Frame-Options: SAMEORIGIN”.',
  };
}

function judgeContentType(header: string | null): Judged {
  if (/^\s*nosniff\s*$/i.test(header ?? ''))
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

/** Returns the sources of a directive in lower case; null without it. The first one of a name counts (CSP 3, section 2.2.1). */
function directive(policy: string, name: string): string[] | null {
  for (const text of policy.split(';')) {
    const [first, ...sources] = text.trim().toLowerCase().split(/\s+/);
    if (first === name) return sources;
  }
  return null;
}
