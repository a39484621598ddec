import type { lookup } from 'node:dns';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { readOrCreateSecretKey, verifySecretKey } from '../../../control-plane/storage/secret-key.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch, type GuardedRequest } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { urlRefusal } from '../../../kernel/guard/url-refusal.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { freePort } from '../../helpers/machine/ports.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';

const KEY = Buffer.alloc(32, 1);

/** A channel's secret. */
const OWN = { purpose: 'channel', id: 'chn_1' };

t.test('a sealed text opens only with its key and only if unchanged, and differs each time', async (t) => {
  const box = createSecretBox(KEY, systemRandom);
  const text = 'xoxb-1234 ✓ ünï';
  const sealed = box.seal(text, OWN);
  t.equal(box.open(sealed, OWN), text);
  t.not(box.seal(text, OWN), sealed);
  t.notOk(sealed.includes('xoxb'));
  t.match(sealed, /^v2\.[\w-]{16}\.[\w-]+$/);
  t.throws(() => createSecretBox(Buffer.alloc(32, 2), systemRandom).open(sealed, OWN), /another key/);
  const [version, nonce = '', body = ''] = sealed.split('.');
  const flipped = Buffer.from(body, 'base64url');
  flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
  const broken = [
    `${version}.${nonce}.${flipped.toString('base64url')}`,
    `v1.${nonce}.${body}`,
    `v3.${nonce}.${body}`,
    `${version}.${nonce}.${body.slice(0, 8)}`,
    `${version}.${nonce}`,
    `${sealed}.x`,
    '',
  ];
  for (const bad of broken) t.throws(() => box.open(bad, OWN), /opening a stored secret failed/, bad);
  t.throws(() => createSecretBox(Buffer.alloc(16), systemRandom), /32 bytes/);
});

t.test('a sealed text opens only for the purpose and the object that it was sealed for', async (t) => {
  const box = createSecretBox(KEY, systemRandom);
  const sealed = box.seal('secret', OWN);
  for (const other of [
    { ...OWN, id: 'chn_2' },
    { ...OWN, purpose: 'forwarder' },
    { purpose: 'channel","chn_1', id: '' },
    { purpose: '', id: '' },
  ]) {
    t.throws(() => box.open(sealed, other), /for another object/, JSON.stringify(other));
  }
});

t.test('a text that was sealed before texts had a purpose still opens', async (t) => {
  // Sealed with the key above by the version of Picket before.
  const old = 'v1.BQUFBQUFBQUFBQUF.cseAWQfWE-4bOg75s-Cc5Q7ZIbYoMdioqvrzZpkvdAAH-9M';
  const box = createSecretBox(KEY, systemRandom);
  t.equal(box.open(old, OWN), 'sealed in version 1');
  t.equal(box.open(old, { purpose: 'forwarder', id: 'fwd_1' }), 'sealed in version 1');
  t.throws(() => box.open(old.replace('v1.', 'v2.'), OWN), /opening a stored secret failed/);
});

t.test('the key file is created once, readable only by its owner, and an invalid file is refused', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'picket-key-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const keys = await Promise.all(Array.from({ length: 8 }, () => readOrCreateSecretKey(dataDir, systemRandom)));
  t.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1, 'eight concurrent calls return one key');
  const path = join(dataDir, 'keys', 'secret.key');
  t.equal((await stat(path)).mode & 0o777, 0o600);
  t.equal((await stat(join(dataDir, 'keys'))).mode & 0o777, 0o700);
  t.same(await readOrCreateSecretKey(dataDir, systemRandom), keys[0], 'later starts read it');
  t.equal((await readFile(path, 'utf8')).trim().length, 64);
  await writeFile(path, 'short');
  await t.rejects(readOrCreateSecretKey(dataDir, systemRandom), { message: /PICKET_DATA_DIR.*64 hexadecimal/ });
});

t.test('a control plane does not start with another key than the one that sealed the database', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  await verifySecretKey(mongo.db, KEY, systemRandom);
  await Promise.all([1, 2, 3].map(() => verifySecretKey(mongo.db, KEY, systemRandom)));
  await t.rejects(verifySecretKey(mongo.db, Buffer.alloc(32, 9), systemRandom), {
    name: 'SettingError',
    message: /PICKET_DATA_DIR .*secret\.key.* copy that file/,
  });
});

const post: GuardedRequest = { method: 'POST', headers: {}, body: '{}', timeoutMs: 2_000 };

t.test('the guard blocks every way to reach a private address', async (t) => {
  let connections = 0;
  const privateServer = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => privateServer.listen(0, '127.0.0.1', resolve));
  const address = privateServer.address();
  const port = typeof address === 'object' ? address?.port : 0;
  t.teardown(() => void privateServer.close());
  const guard = createTargetGuard({ allowPrivate: false });
  const guarded = createGuardedFetch({ guard, clock: systemClock });
  t.teardown(() => guarded.close());
  const literals = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    'a.localhost.',
  ];
  for (const host of literals) {
    await t.rejects(guarded.request(`http://${host}:${port}/`, post), { code: 'blocked_target' }, host);
    t.match(urlRefusal(`http://${host}:${port}/`, guard), { code: 'blocked_target' }, `${host} is refused in a URL`);
  }
  const answers = [['93.184.216.34', '127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']];
  for (const addresses of answers) {
    const rebinding: unknown = (_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((one) => ({ address: one, family: 4 })),
      );
    const reported: string[] = [];
    const log = (host: string, refusal: string) => void reported.push(`${host}: ${refusal}`);
    const reporting = createTargetGuard({ allowPrivate: false, log });
    const fetch = createGuardedFetch({ guard: reporting, clock: systemClock, lookup: rebinding as typeof lookup });
    await t.rejects(
      fetch.request(`http://rebind.example:${port}/`, post),
      { code: 'blocked_target', message: 'rebind.example points to an address that is not allowed' },
      addresses.join(),
    );
    t.match(reported[0], `rebind.example: ${addresses.at(-1)} is `, 'the log says which address it was');
    await fetch.close();
  }
  t.equal(connections, 0, 'no connection reached the private address');
  for (const url of ['ftp://example.com', 'http://user:pass@example.com', 'nonsense', 'file:///etc/passwd']) {
    await t.rejects(guarded.request(url, post), { code: 'invalid_url' }, url);
  }
});

t.test('a response is limited in size and time, and a redirect is not followed', async (t) => {
  const guard = createTargetGuard({ allowPrivate: true });
  const guarded = createGuardedFetch({ guard, clock: systemClock });
  const receiver = await startReceiver();
  t.teardown(async () => {
    await guarded.close();
    await receiver.close();
  });
  receiver.behave('drip');
  const endless = await guarded.request(receiver.url, post);
  t.match(endless, { status: 200, truncated: true });
  t.equal(endless.body.length, 65_536);
  receiver.behave({ status: 302, headers: { location: 'http://169.254.169.254/' } });
  t.match(await guarded.request(receiver.url, post), { status: 302 });
  receiver.behave('hang');
  // The receiver never answers.
  await t.rejects(guarded.request(receiver.url, { ...post, timeoutMs: 150 }), { code: 'timeout' });
  const stop = new AbortController();
  void receiver.arrived(receiver.requests.length + 1).then(() => stop.abort());
  await t.rejects(guarded.request(receiver.url, { ...post, signal: stop.signal }), { code: 'aborted' });
  receiver.behave('reset');
  await t.rejects(guarded.request(receiver.url, post), { code: 'connection_reset' });
  await t.rejects(guarded.request(`http://127.0.0.1:${await freePort()}/`, post), { code: 'connection_refused' });
  await t.rejects(
    guarded.request('http://127.0.0.1:25/', post),
    { code: 'invalid_url' },
    'an HTTP request to a mail port is refused',
  );
  await t.rejects(guarded.request('http://no-such-host.invalid/', post), { code: 'dns_failure' });
  await t.rejects(guarded.request(receiver.url.replace('http:', 'https:'), post), { code: 'tls' });
});
