import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface ChannelInput {
  name: string;
  config: Record<string, string>;
  removed: string[];
  delay_minutes: string;
  repeat_minutes: string;
}
const { createBody, emptyInput, inputOf, updateBody } = await browserModule<{
  createBody(type: string, input: ChannelInput): unknown;
  emptyInput(type: string): ChannelInput;
  inputOf(channel: object): ChannelInput;
  updateBody(channel: object, input: ChannelInput): unknown;
}>('parts/channels/form/input.ts');
const { goingOnWithout, silentWithout } = await browserModule<{
  goingOnWithout(channel: object, channels: object[], monitors: object[]): string[];
  silentWithout(channel: object, channels: object[], monitors: object[]): string[];
}>('parts/channels/silent.ts');
const { adviceFor } = await browserModule<{ adviceFor(type: string, test: object): string }>(
  'parts/channels/advice.ts',
);
const { presetOf, rightsOf, scopesOf, toggled } = await browserModule<{
  toggled(scopes: string[], scope: string, isOn: boolean): string[];
  presetOf(scopes: string[]): string;
  rightsOf(scopes: string[]): { both: string[]; reads: string[]; writes: string[] };
  scopesOf(preset: string): string[];
}>('parts/api-keys/scopes.ts');
const { expiresAt, standingOf } = await browserModule<{
  expiresAt(expiry: string, date: string, nowMs: number): string | null | undefined;
  standingOf(key: { expires_at: string | null }, nowMs: number): string;
}>('parts/api-keys/expiry.ts');
const { givenBy, mayChange } = await browserModule<{
  givenBy(account: object): string[];
  mayChange(account: object, member: object): boolean;
}>('parts/team/rights.ts');

const { waysOf } = await browserModule<{ waysOf(account: object, hasPasskeys: boolean): string[] }>(
  'components/confirm-identity/ways.ts',
);

const NTFY = {
  ...{ id: 'chn_1', type: 'ntfy', name: 'Phone', delay_minutes: 5, repeat_minutes: null, enabled: true },
  config: { url: 'https://ntfy.sh', topic: 'alerts', token: '…abcd' },
};

t.test('a new channel has what was typed, and nothing for an empty optional field', (t) => {
  const input = { ...emptyInput('ntfy'), name: ' Phone ', repeat_minutes: '30' };
  t.same(createBody('ntfy', { ...input, config: { ...input.config, topic: ' alerts ' } }), {
    ...{ type: 'ntfy', name: 'Phone', config: { url: 'https://ntfy.sh', topic: 'alerts' } },
    ...{ delay_minutes: 0, repeat_minutes: 30 },
  });
  const mails = { ...emptyInput('email'), config: { to: 'a@example.com\n b@example.com, c@example.com' } };
  t.match(createBody('email', mails), { config: { to: ['a@example.com', 'b@example.com', 'c@example.com'] } });
  t.match(createBody('email', { ...mails, delay_minutes: 'soon' }), { delay_minutes: 'soon' }, 'the API says why not');
  t.end();
});

t.test('only what was changed is sent, and a secret only when it was typed', (t) => {
  const input = inputOf(NTFY);
  t.equal(input.config['token'], '', 'the mask is not a value');
  t.equal(updateBody(NTFY, input), null);
  t.same(updateBody(NTFY, { ...input, repeat_minutes: '15' }), { repeat_minutes: 15 });
  const typed = { ...input, config: { ...input.config, token: 'tk_new' } };
  t.same(updateBody(NTFY, typed), { config: { token: 'tk_new' } });
  t.same(updateBody(NTFY, { ...input, removed: ['token'] }), { config: { token: null } });
  t.end();
});

t.test('the monitors that would notify nobody', (t) => {
  const [chat, mail, off] = [
    { id: 'chat', enabled: true },
    { id: 'mail', enabled: true },
    { id: 'off', enabled: false },
  ];
  const monitors = [
    { name: 'all', channels: null },
    { name: 'chat only', channels: ['chat'] },
    { name: 'chat and off', channels: ['chat', 'off'] },
    { name: 'chat and mail', channels: ['chat', 'mail'] },
    { name: 'none', channels: [] },
  ];
  t.same(silentWithout(chat, [chat, mail, off], monitors), ['chat only', 'chat and off']);
  t.same(goingOnWithout(chat, [chat, mail, off], monitors), ['chat and mail']);
  t.same(goingOnWithout(off, [chat, mail, off], monitors), ['chat and off']);
  t.same(silentWithout(chat, [chat, off], monitors), ['all', 'chat only', 'chat and off', 'chat and mail']);
  t.same(silentWithout(off, [chat, mail, off], monitors), [], 'it notifies nobody already');
  t.end();
});

t.test('what to do about a failed test', (t) => {
  const advice = (type: string, error: string | null, response_status: number | null) =>
    adviceFor(type, { status: 'failed', error, response_status, duration_ms: 1 });
  t.equal(advice('slack', 'HTTP 404: no_service', 404), 'gone');
  t.equal(advice('slack', 'HTTP 403: invalid_token', 403), 'credentials');
  t.equal(advice('webhook', 'HTTP 302 (a redirect, not followed)', 302), 'redirect');
  t.equal(advice('webhook', 'HTTP 503', 503), 'receiver');
  t.equal(advice('webhook', 'HTTP 400: bad', 400), 'request');
  t.equal(advice('webhook', 'dns_failure: getaddrinfo ENOTFOUND', null), 'name');
  t.equal(advice('webhook', 'connection_refused: ECONNREFUSED', null), 'connection');
  t.equal(advice('webhook', 'blocked_target: 10.0.0.1', null), 'blocked');
  t.equal(advice('email', 'EENVELOPE: 550 no such user', 550), 'mail');
  t.equal(advice('webhook', null, null), 'other');
  t.end();
});

t.test('scopes: presets, and rights by area', (t) => {
  for (const preset of ['everything', 'read', 'monitors']) t.equal(presetOf(scopesOf(preset)), preset);
  t.notOk(scopesOf('read').some((scope) => scope.endsWith(':write')));
  t.equal(presetOf(['servers:read']), 'chosen');
  t.same(rightsOf(['servers:read', 'monitors:write', 'monitors:read', 'channels:write']), {
    ...{ both: ['monitors'], reads: ['servers'], writes: ['channels'] },
  });
  t.same(toggled(['servers:read'], 'monitors:write', true), ['servers:read', 'monitors:write', 'monitors:read']);
  t.same(toggled(['servers:read', 'audit:read'], 'audit:read', false), ['servers:read']);
  t.end();
});

t.test('the expiry of a key', (t) => {
  const now = Date.parse('2026-01-01T12:00:00.000Z');
  t.equal(expiresAt('never', '', now), null);
  t.equal(expiresAt('30', '', now), '2026-01-31T12:00:00.000Z');
  t.equal(expiresAt('date', '2026-02-01', now), new Date('2026-02-01T23:59:59').toISOString());
  t.equal(expiresAt('date', '', now), undefined, 'a day is missing');
  t.equal(standingOf({ expires_at: null }, now), 'valid');
  t.equal(standingOf({ expires_at: '2026-01-09T12:00:00.000Z' }, now), 'valid');
  t.equal(standingOf({ expires_at: '2026-01-08T12:00:00.000Z' }, now), 'soon');
  t.equal(standingOf({ expires_at: '2026-01-01T12:00:00.000Z' }, now), 'over');
  t.end();
});

t.test('who may change whom in a team', (t) => {
  t.same(givenBy({ role: 'member' }), []);
  t.notOk(givenBy({ role: 'admin' }).includes('owner'));
  t.ok(mayChange({ id: 'a', role: 'owner' }, { id: 'b', role: 'owner' }));
  t.notOk(mayChange({ id: 'a', role: 'admin' }, { id: 'b', role: 'owner' }));
  t.notOk(mayChange({ id: 'a', role: 'owner' }, { id: 'a', role: 'owner' }), 'not themselves');
  t.end();
});

t.test('what can prove who a person is', (t) => {
  const all = { second_factor: { totp: true, passkeys: 1, recovery_codes_left: 2 } };
  t.same(waysOf(all, true), ['password', 'totp', 'passkey', 'recovery_code']);
  t.same(waysOf(all, false), ['password', 'totp', 'recovery_code'], 'in a browser without passkeys');
  const none = { second_factor: { totp: false, passkeys: 0, recovery_codes_left: 0 } };
  t.same(waysOf(none, true), ['password']);
  t.end();
});
