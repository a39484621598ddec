import t from 'tap';
import { apiKeyExpiringMail } from '../../../control-plane/mail/contents/api-key-expiring.js';
import { confirmRecipientMail } from '../../../control-plane/mail/contents/confirm-recipient.js';
import { MAIL_EXAMPLES } from '../../../control-plane/mail/contents/examples.js';
import { invitationMail } from '../../../control-plane/mail/contents/invitation.js';
import { newDeviceMail } from '../../../control-plane/mail/contents/new-device.js';
import {
  type SecondFactorChange,
  secondFactorChangedMail,
} from '../../../control-plane/mail/contents/second-factor-changed.js';
import { workspaceDeletionMail } from '../../../control-plane/mail/contents/workspace-deletion.js';
import { mailLink } from '../../../control-plane/mail/link.js';

const AT_MS = Date.UTC(2026, 0, 31, 12);
const HOUR_MS = 3_600_000;

t.test('every mail says who gets it and why, and every link with a token says until when it works', (t) => {
  const kinds = new Set<string>();
  for (const [name, mail] of Object.entries(MAIL_EXAMPLES)) {
    kinds.add(mail.kind);
    t.match(mail.why, /^You get this e-mail because /, name);
    t.notMatch(mail.subject, /token|https?:/, name);
    t.ok(mail.expiresAtMs > AT_MS, name);
    if (!mail.action?.url.includes('#token=')) continue;
    const until = new Date(mail.expiresAtMs).toISOString().slice(0, 16).replace('T', ' ');
    t.ok(mail.paragraphs.join(' ').includes(`The link works once, until ${until} UTC`), name);
  }
  t.equal(kinds.size, Object.keys(MAIL_EXAMPLES).length, 'one example of each kind');
  for (const kind of [
    'confirm_email',
    'invitation',
    'password_reset',
    'new_device',
    'second_factor_changed',
    'api_key_expiring',
  ])
    t.ok(kinds.has(kind), kind);
  t.end();
});

t.test('names that users chose make no link, no line and no other reading', (t) => {
  const evil = 'Visit http://evil.example\r\n\u202enow';
  const origin = { atMs: AT_MS, ip: null, device: evil };
  const mails = [
    invitationMail({
      to: 'a@b.c',
      workspace: evil,
      inviter: 'bob@example.com',
      role: 'viewer',
      link: '',
      expiresAtMs: AT_MS,
    }),
    confirmRecipientMail({
      ...{ to: 'a@b.c', workspace: evil, askedBy: 'bob@evil.example', link: '', stopUrl: '', expiresAtMs: AT_MS },
    }),
    newDeviceMail({ to: 'a@b.c', origin, method: 'passkey', link: '' }),
    secondFactorChangedMail({ to: 'a@b.c', origin, link: '', change: { type: 'passkey_removed', passkey: evil } }),
    apiKeyExpiringMail({
      ...{ to: 'a@b.c', name: evil, lastFour: 'abcd', workspace: evil, link: '' },
      ...{ keyExpiresAtMs: AT_MS, lastUsedAtMs: null, nowMs: AT_MS },
    }),
    workspaceDeletionMail({
      ...{ to: 'a@b.c', workspace: evil, by: 'bob@example.com', requestedAtMs: AT_MS, deletedAtMs: AT_MS, link: '' },
    }),
  ];
  for (const mail of mails) {
    const { to, action, ...texts } = mail;
    const all = JSON.stringify(texts);
    t.match(all, /Visit/, mail.kind);
    t.notMatch(all, /http:\/\/|evil\.example|\\r|\\n|\u202e/, mail.kind);
  }
  t.end();
});

t.test('each change of second factors has a title and a sentence of its own', (t) => {
  const changes: SecondFactorChange[] = [
    { type: 'totp_enabled' },
    { type: 'totp_disabled' },
    { type: 'recovery_codes_renewed' },
    { type: 'passkey_added', passkey: 'Laptop' },
    { type: 'passkey_removed', passkey: 'Laptop' },
  ];
  const origin = { atMs: AT_MS, ip: '192.0.2.1', device: null };
  const mails = changes.map((change) => secondFactorChangedMail({ to: 'a@b.c', change, origin, link: '' }));
  t.equal(new Set(mails.map(({ subject }) => subject)).size, 5);
  t.equal(new Set(mails.map(({ paragraphs }) => paragraphs[0])).size, 5);
  t.same(
    mails.map(({ facts }) => facts?.[0]?.label),
    ['Time', 'Time', 'Time', 'Passkey', 'Passkey'],
  );
  t.end();
});

t.test('the time that an API key has left is rounded to days or hours', (t) => {
  const subject = (leftMs: number) =>
    apiKeyExpiringMail({
      ...{ to: 'a@b.c', name: 'deploy', lastFour: 'abcd', workspace: 'Shop', link: '', lastUsedAtMs: null },
      ...{ nowMs: AT_MS, keyExpiresAtMs: AT_MS + leftMs },
    }).subject;
  t.equal(subject(7 * 24 * HOUR_MS - 61_000), 'API key deploy expires in 7 days');
  t.equal(subject(30 * HOUR_MS), 'API key deploy expires in 30 hours');
  t.equal(subject(60_000), 'API key deploy expires in 1 hour');
  t.end();
});

t.test('a token is in the fragment of a link, which browsers send to no server', (t) => {
  const link = mailLink('https://picket.test', '/reset-password', 'a+b/c=');
  t.equal(link, 'https://picket.test/reset-password#token=a%2Bb%2Fc%3D');
  t.equal(new URLSearchParams(new URL(link).hash.slice(1)).get('token'), 'a+b/c=');
  t.equal(mailLink('https://picket.test', '/api-keys'), 'https://picket.test/api-keys');
  t.end();
});
