import { mailLink } from '../link.js';
import type { OutgoingMail } from '../mailer.js';
import { accountDeletionMail } from './account-deletion.js';
import { apiKeyExpiringMail } from './api-key-expiring.js';
import { clientReportMail } from './client-report.js';
import { codeRepeatedMail } from './code-repeated.js';
import { confirmEmailChangeMail, confirmEmailMail } from './confirm-email.js';
import { confirmRecipientMail } from './confirm-recipient.js';
import { emailChangedMail } from './email-changed.js';
import { invitationMail } from './invitation.js';
import { newDeviceMail } from './new-device.js';
import { passwordChangedMail } from './password-changed.js';
import { passwordResetMail } from './password-reset.js';
import { recoveryCodeUsedMail } from './recovery-code-used.js';
import { secondFactorChangedMail } from './second-factor-changed.js';
import { signUpAttemptedMail } from './sign-up-attempted.js';
import { workspaceDeletionMail } from './workspace-deletion.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const AT_MS = Date.UTC(2026, 0, 31, 12);
const TO = 'ann@example.com';
const TOKEN = 'q7Zk2mVx9TnR4cWb8LsY1dHf6GjP3aEuQ5oKiXvN0tM';
const ORIGIN = { atMs: AT_MS, ip: '192.0.2.44', device: 'Firefox 146 on Windows' };

/** The public URL that the links of the examples start with. */
export const EXAMPLE_PUBLIC_URL = 'https://picket.example.com';

const page = (path: `/${string}`) => mailLink(EXAMPLE_PUBLIC_URL, path);
const withToken = (path: `/${string}`) => mailLink(EXAMPLE_PUBLIC_URL, path, TOKEN);

/** One example of every kind of mail, by the name of its screenshot. Tests and `docs/mails.md` show these. */
export const MAIL_EXAMPLES: Readonly<Record<string, OutgoingMail>> = {
  confirmation: confirmEmailMail({ to: TO, link: withToken('/confirm-email'), expiresAtMs: AT_MS + DAY_MS }),
  invitation: invitationMail({
    ...{ to: TO, workspace: 'Example Shop', inviter: 'bob@example.com', role: 'member' },
    ...{ link: withToken('/invitation'), expiresAtMs: AT_MS + 7 * DAY_MS },
  }),
  'password-reset': passwordResetMail({
    ...{ to: TO, link: withToken('/reset-password'), expiresAtMs: AT_MS + 30 * MINUTE_MS, origin: ORIGIN },
  }),
  'new-device': newDeviceMail({ to: TO, origin: ORIGIN, method: 'password', link: page('/account/sessions') }),
  'second-factor-changed': secondFactorChangedMail({
    ...{ to: TO, change: { type: 'passkey_added', passkey: 'Laptop' }, origin: ORIGIN },
    link: page('/account/second-factor'),
  }),
  'api-key-expiring': apiKeyExpiringMail({
    ...{ to: TO, name: 'deploy', lastFour: 'x4Qz', workspace: 'Example Shop', nowMs: AT_MS },
    ...{ keyExpiresAtMs: AT_MS + 7 * DAY_MS, lastUsedAtMs: AT_MS - 7 * MINUTE_MS, link: page('/settings/api-keys') },
  }),
  'recovery-code-used': recoveryCodeUsedMail({ to: TO, left: 9, origin: ORIGIN, link: page('/account/second-factor') }),
  'code-repeated': codeRepeatedMail({ to: TO, origin: ORIGIN, link: page('/account/second-factor') }),
  'confirm-new-address': confirmEmailChangeMail({
    ...{ to: 'ann@new.example.com', link: withToken('/confirm-email'), expiresAtMs: AT_MS + DAY_MS },
  }),
  'confirm-recipient': confirmRecipientMail({
    ...{ to: TO, workspace: 'Example Shop', askedBy: 'bob@example.com', expiresAtMs: AT_MS + 7 * DAY_MS },
    ...{ link: page(`/confirm-recipient?t=${TOKEN}`), stopUrl: page(`/stop-emails?t=${TOKEN}.${TOKEN.slice(0, 24)}`) },
  }),
  'client-report': clientReportMail({
    ...{ id: 'mail_01kf5e6q0h3v8r2m9x4t7c1z5n', to: TO, workspace: 'Example Agency', title: 'Website report' },
    ...{ clientName: 'Example Ltd', period: '1 Jan 2026, 00:00 – 1 Feb 2026, 00:00 (Europe/Berlin)' },
    figures: [
      { label: 'Uptime', value: '99.97 % (99.9 % in the period before)' },
      { label: 'Downtime, all monitors', value: '13 min (44 min in the period before)' },
      { label: 'Outages', value: '2 (5 in the period before)' },
    ],
    file: { link: page(`/shared-report?t=${TOKEN}`), expiresAtMs: AT_MS + 30 * DAY_MS },
    ...{ stopUrl: page(`/stop-emails?t=${TOKEN}.${TOKEN.slice(0, 24)}`), expiresAtMs: AT_MS + 3 * DAY_MS },
  }),
  'email-changed': emailChangedMail({ to: TO, newEmail: 'ann@new.example.com', origin: ORIGIN }),
  'password-changed': passwordChangedMail({ to: TO, link: page('/forgot-password'), origin: ORIGIN }),
  'sign-up-attempted': signUpAttemptedMail({ to: TO, link: page('/forgot-password'), origin: ORIGIN }),
  'account-deletion': accountDeletionMail({
    ...{ to: TO, deletedAtMs: AT_MS + 7 * DAY_MS, origin: ORIGIN, link: page('/settings/account') },
  }),
  'workspace-deletion': workspaceDeletionMail({
    ...{ to: TO, workspace: 'Example Shop', by: 'bob@example.com', requestedAtMs: AT_MS },
    ...{ deletedAtMs: AT_MS + 7 * DAY_MS, link: page('/settings/workspace') },
  }),
};

/** Other texts of a kind that `MAIL_EXAMPLES` has, for `docs/mails.md`. */
export const MAIL_VARIANTS: Readonly<Record<string, OutgoingMail>> = {
  'recovery-codes-renewed': secondFactorChangedMail({
    ...{ to: TO, change: { type: 'recovery_codes_renewed' }, origin: ORIGIN },
    link: page('/account/second-factor'),
  }),
};
