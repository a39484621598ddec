import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { HttpSettings, MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { changedSettings } from '../../../control-plane/monitors/settings/build.js';
import { masked, secretsOf, shownSettings, unmasked } from '../../../control-plane/monitors/settings/masks.js';
import { HTTP_DEFAULTS } from '../../../control-plane/monitors/settings/settings.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';
import { monitorSecrets } from '../../helpers/monitors/secrets.js';
import { created, monitor, rules } from '../../helpers/monitors/settings.js';

const MASK = '***';
const http: HttpSettings = {
  ...HTTP_DEFAULTS,
  headers: { Authorization: 'Bearer one', 'X-Key': 'two' },
  body: 'three',
};
const settings = { url: 'https://me:four@example.com/a?b=c', http };

t.test('masks stand for the user info, every header value and the body, and for nothing else', async (t) => {
  t.same(masked(settings), {
    url: 'https://***@example.com/a?b=c',
    http: { ...http, headers: { Authorization: MASK, 'X-Key': MASK }, body: MASK },
  });
  t.same(secretsOf(settings), { userInfo: 'me:four', headers: http.headers, body: 'three' });
  t.same(masked(masked(settings)), masked(settings), 'masks stay masks');
  for (const plain of [
    { url: 'https://example.com/a@b', http: { ...HTTP_DEFAULTS, keyword: 'k' } },
    { url: 'example.com:25', http: null },
  ]) {
    t.equal(secretsOf(plain), null);
    t.same(masked(plain), plain);
  }
});

t.test('property: settings come back from their masks and their secrets', async (t) => {
  const text = fc.string().filter((value) => value !== MASK);
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
  const headers = fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key.toLowerCase() });
  const userInfo = fc.option(fc.stringMatching(/^[a-z0-9:@%!$&*._-]{0,12}$/).filter((value) => value !== MASK));
  const part = fc.stringMatching(/^[a-z%=/?+-]{0,8}$/).filter((value) => !value.endsWith(MASK));
  const query = fc.option(fc.array(part, { maxLength: 5 }));
  const property = fc.property(headers, fc.option(text), userInfo, query, (pairs, body, user, parts) => {
    const before = {
      url: `https://${user === null ? '' : `${user}@`}example.com/x${parts === null ? '' : `?${parts.join('&')}`}#end`,
      http: { ...HTTP_DEFAULTS, headers: Object.fromEntries(pairs), body },
    };
    for (const shown of [masked(before), shownSettings(before)]) {
      const after = unmasked(shown, secretsOf(before), before.url);
      assert.deepEqual(after, { settings: before, errors: [] });
    }
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }));
});

t.test('a mask without a stored secret is an error at its place', async (t) => {
  const { settings: same, errors } = unmasked(masked(settings), null, null);
  t.same(same, masked(settings));
  t.same(
    errors.map(({ path }) => path),
    ['/url', '/http/headers/Authorization', '/http/headers/X-Key', '/http/body'],
  );
  t.match(errors[0]?.message, /must be the value itself/);
});

t.test('an update keeps the secrets whose masks it sends back, and replaces the others', async (t) => {
  const current = created({ url: settings.url, http: { headers: http.headers, body: 'three' } }).settings;
  const change = (patch: Parameters<typeof changedSettings>[1]) => changedSettings(current, patch, rules);
  const kept = change({ url: 'https://***@example.com/new', http: { headers: { authorization: MASK, new: '1' } } });
  t.same(kept.errors, []);
  t.equal(kept.settings.url, 'https://me:four@example.com/new');
  t.same(kept.settings.http?.headers, { authorization: 'Bearer one', new: '1' }, 'header names have no case');
  t.equal(kept.settings.http?.body, 'three');
  t.same(change({ url: 'https://example.com/', http: { headers: {}, body: null } }).settings.http?.headers, {});
  t.match(change({ http: { headers: { other: MASK } } }).errors, [{ path: '/http/headers/other' }]);
});

t.test(
  'sealed secrets of a monitor open again; secrets of another key leave masks and a line in the log',
  async (t) => {
    const log = logCollector();
    const secrets = monitorSecrets(log.logger);
    const stored: MonitorDocument = { ...monitor(), ...secrets.seal('mon_1', settings) };
    t.notMatch(JSON.stringify(stored), /one|two|three|four/);
    t.same(secrets.open(stored), settings);
    t.match(secrets.settings(stored), settings);
    t.same(secrets.seal('mon_1', { url: 'example.com', http: null }), { url: 'example.com', http: null, sealed: null });
    t.same(
      secrets.open({ _id: 'mon_2', ...settings }),
      settings,
      'settings that were never sealed are read as they are',
    );

    const broken = { ...stored, sealed: `${stored.sealed?.slice(0, -8)}AAAAAAAA` };
    t.equal(secrets.open(broken), null);
    t.match(secrets.settings(broken), masked(settings));
    t.match(log.lines[0], { monitor: 'mon_1', msg: /failed to open the secrets of a monitor/ });
    const rename = changedSettings(secrets.settings(broken), { name: 'New' }, rules);
    t.match(rename.errors[0], { path: '/url' }, 'masks are never sealed as secrets');
  },
);
