import { createHash } from 'node:crypto';
import type { RefusalReason } from './refusal.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
small { opacity: .7; }
`;

/** Returns the content security policy of the pages: no script, nothing loaded, and no other site can show them in a frame. */
export function pagePolicy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** What happened, and what the person can do, by reason. */
const TEXTS: Record<RefusalReason, { title: string; what: string; todo: string; status: 400 | 403 | 404 | 502 | 503 }> =
  {
    not_configured: {
      title: 'No single sign-on for this address',
      what: 'No workspace uses single sign-on for this e-mail address.',
      todo: 'Check the address, or log in with your password.',
      status: 404,
    },
    plan_required: {
      title: 'Single sign-on is not available',
      what: 'The plan of this workspace does not include single sign-on.',
      todo: 'Log in with your password, or ask an owner of the workspace.',
      status: 403,
    },
    provider_unavailable: {
      title: 'The identity provider does not answer',
      what: 'Picket could not reach the identity provider of your workspace.',
      todo: 'Try again in a minute. If it stays like this, ask the person who runs the identity provider.',
      status: 503,
    },
    provider_error: {
      title: 'The identity provider refused the sign-in',
      what: 'The identity provider answered with an error, or its settings do not match those of Picket.',
      todo: 'Try again. If it stays like this, an owner of the workspace has to compare the settings on both sides.',
      status: 502,
    },
    sign_in_cancelled: {
      title: 'Sign-in cancelled',
      what: 'The identity provider did not let you in, or you cancelled the sign-in there.',
      todo: 'Start again, or ask for access at your identity provider.',
      status: 403,
    },
    expired: {
      title: 'This sign-in took too long',
      what: 'More than ten minutes passed since you started.',
      todo: 'Start again.',
      status: 400,
    },
    other_browser: {
      title: 'This sign-in was not started in this browser',
      what: 'The link belongs to a sign-in of another browser, of another window, or of more than ten minutes ago.',
      todo: 'Start again in this browser. If somebody sent you the link, do not use it.',
      status: 400,
    },
    already_used: {
      title: 'This link was used before',
      what: 'Each answer of an identity provider works once.',
      todo: 'Start again.',
      status: 400,
    },
    provider_changed: {
      title: 'The settings have changed',
      what: 'The single sign-on settings of the workspace were changed while you signed in.',
      todo: 'Start again.',
      status: 400,
    },
    invalid_response: {
      title: 'The answer of the identity provider is not valid',
      what: 'Picket did not accept the answer, because it is not meant for this sign-in or is not signed as it should be.',
      todo: 'Start again. If it stays like this, an owner of the workspace has to check the settings.',
      status: 403,
    },
    email_missing: {
      title: 'Your e-mail address is missing',
      what: 'The identity provider did not send an e-mail address.',
      todo: 'Ask the person who runs the identity provider to send the claim “email” to Picket.',
      status: 403,
    },
    email_unverified: {
      title: 'Your e-mail address is not verified',
      what: 'The identity provider has not verified your e-mail address.',
      todo: 'Verify the address at your identity provider, then start again.',
      status: 403,
    },
    domain_not_verified: {
      title: 'Your e-mail address is not of this workspace',
      what: 'The domain of your e-mail address is not a verified domain of this workspace.',
      todo: 'Use the address of your company, or ask an owner to add the domain.',
      status: 403,
    },
    account_exists: {
      title: 'There is an account with this address',
      what: 'An account with your e-mail address exists, but it is not a member of this workspace.',
      todo: 'Ask for an invitation, and accept it after you have logged in with your password. Then single sign-on works.',
      status: 403,
    },
    subject_changed: {
      title: 'This is another person of the identity provider',
      what: 'Your account is linked with another person of the identity provider who has the same e-mail address.',
      todo: 'Ask an owner of the workspace to remove that link.',
      status: 403,
    },
    member_removed: {
      title: 'You are not a member any more',
      what: 'You were removed from this workspace.',
      todo: 'Ask an owner of the workspace for an invitation.',
      status: 403,
    },
    operator_account: {
      title: 'Operators sign in another way',
      what: 'Your account may change this whole installation, so the identity provider of one workspace cannot open it.',
      todo: 'Log in with your password, or through the identity provider of the installation.',
      status: 403,
    },
    no_access: {
      title: 'You have no access to this workspace',
      what: 'None of the groups that the identity provider sent has access to this workspace.',
      todo: 'Ask the person who manages the groups at your identity provider.',
      status: 403,
    },
    workspace_full: {
      title: 'This workspace has too many members',
      what: 'The workspace has reached the number of members that it can have.',
      todo: 'Ask an owner of the workspace to remove members who no longer use it.',
      status: 403,
    },
    account_unconfirmed: {
      title: 'There is an unconfirmed account with this address',
      what: 'Somebody created an account with your e-mail address and never confirmed the address.',
      todo: 'Reset its password: the mail for it comes to you. Then start again.',
      status: 403,
    },
    not_confirmed: {
      title: 'The sign-in was not recent enough',
      what: 'The identity provider did not ask who you are.',
      todo: 'Sign out at the identity provider, then start again.',
      status: 403,
    },
  };

export interface Page {
  status: 200 | 400 | 403 | 404 | 502 | 503;
  html: string;
}

/** Returns the page of a refused sign-in. Nothing of the request or of the provider's answer is on it. */
export function refusalPage(reason: RefusalReason, requestId: string): Page {
  const { title, what, todo, status } = TEXTS[reason];
  return {
    status,
    html: document(title, `<p>${what}</p>\n<p>${todo}</p>\n<p><small>Request ${escaped(requestId)}</small></p>`),
  };
}

/**
 * Returns the page that asks before a sign-in begins that another site started: its owner could otherwise sign a visitor
 * in to a workspace of theirs without the visitor noticing.
 */
export function continuePage({ workspace, issuer, href }: { workspace: string; issuer: string; href: string }): Page {
  const body = `<p>Another site opened this page. Continue only if you want to sign in to <strong>${escaped(workspace)}</strong> through <strong>${escaped(issuer)}</strong>.</p>
<p><a href="${escaped(href)}">Continue to sign in</a></p>`;
  return { status: 200, html: document('Sign in to Picket', body) };
}

function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Picket</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
${body}
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
