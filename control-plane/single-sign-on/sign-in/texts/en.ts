import type { RefusalReason } from '../refusal.js';

/** What happened, and what the person can do. */
interface RefusalText {
  title: string;
  what: string;
  todo: string;
}

const refusals: Record<RefusalReason, RefusalText> = {
  not_configured: {
    title: 'No single sign-on for this address',
    what: 'No workspace uses single sign-on for this e-mail address.',
    todo: 'Check the address, or log in with your password.',
  },
  plan_required: {
    title: 'Single sign-on is not available',
    what: 'The plan of this workspace does not include single sign-on.',
    todo: 'Log in with your password, or ask an owner of the workspace.',
  },
  provider_unavailable: {
    title: 'The identity provider does not answer',
    what: 'Picket could not reach the identity provider of your workspace.',
    todo: 'Try again in a minute. If it stays like this, ask the person who runs the identity provider.',
  },
  provider_error: {
    title: 'The identity provider refused the log-in',
    what: 'The identity provider answered with an error, or its settings do not match those of Picket.',
    todo: 'Try again. If it stays like this, an owner of the workspace has to compare the settings on both sides.',
  },
  sign_in_cancelled: {
    title: 'Log-in cancelled',
    what: 'The identity provider did not let you in, or you cancelled the log-in there.',
    todo: 'Start again, or ask for access at your identity provider.',
  },
  expired: {
    title: 'This log-in took too long',
    what: 'More than ten minutes passed since you started.',
    todo: 'Start again.',
  },
  other_browser: {
    title: 'This log-in was not started in this browser',
    what: 'The link belongs to a log-in of another browser, of another window, or of more than ten minutes ago.',
    todo: 'Start again in this browser. If somebody sent you the link, do not use it.',
  },
  already_used: {
    title: 'This link was used before',
    what: 'Each answer of an identity provider works once.',
    todo: 'Start again.',
  },
  provider_changed: {
    title: 'The settings have changed',
    what: 'The single sign-on settings of the workspace were changed while you logged in.',
    todo: 'Start again.',
  },
  invalid_response: {
    title: 'The answer of the identity provider is not valid',
    what: 'Picket did not accept the answer, because it is not meant for this log-in or is not signed as it should be.',
    todo: 'Start again. If it stays like this, an owner of the workspace has to check the settings.',
  },
  email_missing: {
    title: 'Your e-mail address is missing',
    what: 'The identity provider did not send an e-mail address.',
    todo: 'Ask the person who runs the identity provider to send the claim “email” to Picket.',
  },
  email_unverified: {
    title: 'Your e-mail address is not verified',
    what: 'The identity provider has not verified your e-mail address.',
    todo: 'Verify the address at your identity provider, then start again.',
  },
  domain_not_verified: {
    title: 'Your e-mail address is not of this workspace',
    what: 'The domain of your e-mail address is not a verified domain of this workspace.',
    todo: 'Use the address of your company, or ask an owner to add the domain.',
  },
  account_exists: {
    title: 'There is an account with this address',
    what: 'An account with your e-mail address exists, but it is not a member of this workspace.',
    todo: 'Ask for an invitation, and accept it after you have logged in with your password. Then single sign-on works.',
  },
  subject_changed: {
    title: 'This is another person of the identity provider',
    what: 'Your account is linked with another person of the identity provider who has the same e-mail address.',
    todo: 'Ask an owner of the workspace to remove that link.',
  },
  member_removed: {
    title: 'You are not a member any more',
    what: 'You were removed from this workspace.',
    todo: 'Ask an owner of the workspace for an invitation.',
  },
  operator_account: {
    title: 'Operators log in another way',
    what: 'Your account may change this whole installation, so the identity provider of one workspace cannot open it.',
    todo: 'Log in with your password, or through the identity provider of the installation.',
  },
  no_access: {
    title: 'You have no access to this workspace',
    what: 'None of the groups that the identity provider sent has access to this workspace.',
    todo: 'Ask the person who manages the groups at your identity provider.',
  },
  workspace_full: {
    title: 'This workspace has too many members',
    what: 'The workspace has reached the number of members that it can have.',
    todo: 'Ask an owner of the workspace to remove members who no longer use it.',
  },
  account_unconfirmed: {
    title: 'There is an unconfirmed account with this address',
    what: 'Somebody created an account with your e-mail address and never confirmed the address.',
    todo: 'Reset its password: the mail for it comes to you. Then start again.',
  },
  not_confirmed: {
    title: 'The log-in was not recent enough',
    what: 'The identity provider did not ask who you are.',
    todo: 'Log out at the identity provider, then start again.',
  },
};

export const en = {
  refusals,
  toLogIn: 'To the log-in page',
  request: (id: string) => `Request ${id}`,
  continue: {
    title: 'Log in to Picket',
    text: (workspace: string, issuer: string) =>
      `Another site opened this page. Continue only if you want to log in to ${workspace} through ${issuer}.`,
    link: 'Continue to log in',
  },
};
