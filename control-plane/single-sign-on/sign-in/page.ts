import type { Language } from '../../http/client/language.js';
import { sourceOfInline } from '../../http/html/inline-source.js';
import type { RefusalReason } from './refusal.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';

const STYLE = `
:root { color-scheme: light dark; background: #fff; color: #1b1d24; }
a { color: #4338ca; }
@media (prefers-color-scheme: dark) {
  :root { background: #14161c; color: #e6e8ee; }
  a { color: #a5b4fc; }
}
body { font: 16px/1.6 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
small { opacity: .8; }
`;

/** Returns the content security policy of the pages: no script, nothing loaded, and no other site can show them in a frame. */
export function pagePolicy(): string {
  return `default-src 'none'; style-src ${sourceOfInline(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** The status of the response, by reason. */
const STATUS: Record<RefusalReason, 400 | 403 | 404 | 502 | 503> = {
  not_configured: 404,
  plan_required: 403,
  provider_unavailable: 503,
  provider_error: 502,
  sign_in_cancelled: 403,
  expired: 400,
  other_browser: 400,
  already_used: 400,
  provider_changed: 400,
  invalid_response: 403,
  email_missing: 403,
  email_unverified: 403,
  domain_not_verified: 403,
  account_exists: 403,
  subject_changed: 403,
  member_removed: 403,
  operator_account: 403,
  no_access: 403,
  workspace_full: 403,
  account_unconfirmed: 403,
  not_confirmed: 403,
};

const TEXTS: Record<Language, typeof en> = { en, de };

export interface Page {
  status: 200 | 400 | 403 | 404 | 502 | 503;
  html: string;
}

/** Returns the page of a refused log-in. Nothing of the request or of the provider's answer is on it. */
export function refusalPage(
  reason: RefusalReason,
  { requestId, logInUrl, language }: { requestId: string; logInUrl: string; language: Language },
): Page {
  const words = TEXTS[language];
  const { title, what, todo } = words.refusals[reason];
  const body = `<p>${what}</p>
<p>${todo}</p>
<p><a href="${escaped(logInUrl)}">${words.toLogIn}</a></p>
<p><small>${words.request(escaped(requestId))}</small></p>`;
  return { status: STATUS[reason], html: document(language, title, body) };
}

/** What the page asks before a log-in begins. */
export interface ContinueAsked {
  workspace: string;
  issuer: string;
  href: string;
}

/**
 * Returns the page that asks before a log-in begins that another site started: its owner could otherwise log a visitor
 * in to a workspace of theirs without the visitor noticing.
 */
export function continuePage({ workspace, issuer, href }: ContinueAsked, language: Language): Page {
  const words = TEXTS[language].continue;
  const strong = (text: string) => `<strong>${escaped(text)}</strong>`;
  const body = `<p>${words.text(strong(workspace), strong(issuer))}</p>
<p><a href="${escaped(href)}">${words.link}</a></p>`;
  return { status: 200, html: document(language, words.title, body) };
}

function document(language: Language, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Picket</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
