import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { createOpenChannel } from '../../../node-link/channel.js';
import { createCredentialKeeper } from '../../../node-link/enrolment/credential-keeper.js';
import { createCredentialFile, type NodeCredentials } from '../../../node-link/enrolment/credentials.js';
import { enrol } from '../../../node-link/enrolment/enrol.js';
import { parseJoinToken } from '../../../node-link/enrolment/join-token.js';
import { loadNodeLink } from '../../../proto/load.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { testAuthority } from '../../helpers/node-link/authority.js';
import { setUpControlPlane } from '../../helpers/node-link/setup.js';

const openChannel = createOpenChannel(loadNodeLink());

t.test('a join token is exchanged for a credential, once, and only by the pinned control plane', async (t) => {
  const plane = await setUpControlPlane(t);
  plane.script.secrets.add('secret').add('secret2').add('secret3');
  const join = (text: string) =>
    enrol({ token: parseJoinToken(text), version: '1', hostname: 'here', openChannel, clock: systemClock });
  const credentials = await join(plane.joinToken('secret'));
  t.match(credentials, { nodeId: 'prb_test', location: 'fra', previous: null, addresses: [`127.0.0.1:${plane.port}`] });
  t.equal(credentials.authorityPem.trim(), plane.authority.authorityPem.trim());
  t.ok(plane.script.credentials.has(credentials.credential));
  await t.rejects(
    join(plane.joinToken('secret')),
    /refused the join token .*a join token works once and expires after 24 h; create a new one/,
  );

  const other = await testAuthority();
  await t.rejects(
    join(plane.joinToken('secret2', undefined, other.fingerprint)),
    /does not present the certificate authority/,
  );
  t.ok(plane.script.secrets.has('secret2'), 'the secret was not sent to it');
  await t.rejects(join(plane.joinToken('secret2', '127.0.0.1:1')), /cannot be reached.*ECONNREFUSED/);
  await t.resolves(join(plane.joinToken('secret2', `127.0.0.1:1,127.0.0.1:${plane.port}`)), 'the second address');

  const named = await setUpControlPlane(t, { authority: await testAuthority('localhost') });
  named.script.secrets.add('secret');
  await t.resolves(
    join(named.joinToken('secret', `localhost:${named.port}`)),
    "an operator's certificate for the host",
  );
  named.script.secrets.add('secret');
  await t.rejects(join(named.joinToken('secret')), /127\.0\.0\.1/, 'but not for another host');
});

t.test('the error for an invalid join token says what is wrong, without the token', async (t) => {
  const token = (fields: object) => `pjt_${Buffer.from(JSON.stringify(fields)).toString('base64url')}`;
  const good = { v: 1, s: 'secret', f: 'AB'.repeat(32), a: 'localhost:8443, [::1]:8443' };
  t.strictSame(parseJoinToken(` ${token(good)}\n`), {
    secret: 'secret',
    fingerprint: 'ab'.repeat(32),
    addresses: ['localhost:8443', '[::1]:8443'],
  });
  for (const [text, message] of [
    ['pk_live_1', /starts with pjt_/],
    [token(good).slice(0, -20), /damaged: copy all of it again/],
    ['pjt_', /damaged/],
    [token({ ...good, v: 2 }), /another version/],
    [token({ ...good, s: '' }), /no secret/],
    [token({ ...good, f: 'abc' }), /no fingerprint/],
    [token({ ...good, a: 5 }), /no address/],
    [token({ ...good, a: 'localhost' }), /not host:port/],
    [token({ ...good, a: 'localhost:70000' }), /not host:port/],
    [`pjt_${'a'.repeat(5000)}`, /too long/],
  ] as const) {
    t.throws(() => parseJoinToken(text), message);
  }
});

t.test('the credential file is private, replaced atomically, and valid after each step of a rotation', async (t) => {
  const plane = await setUpControlPlane(t);
  const directory = temporaryFolder(t);
  const file = createCredentialFile(directory);
  t.equal(file.load(), null);
  const day = 86_400_000;
  const old: NodeCredentials = {
    nodeId: 'prb_test',
    location: 'fra',
    credential: 'good',
    previous: null,
    authorityPem: plane.authority.authorityPem,
    addresses: [`127.0.0.1:${plane.port}`],
    issuedAtMs: systemClock.now() - 29 * day,
  };
  file.save(old);
  t.strictSame(file.load(), old);
  t.equal(statSync(join(directory, 'credential.json')).mode & 0o777, 0o600);
  t.strictSame(readdirSync(directory), ['credential.json'], 'no temporary file remains');

  const logger = pino({ level: 'silent' });
  const keeperOf = (initial: NodeCredentials) =>
    createCredentialKeeper({ initial, file, openChannel, clock: systemClock, logger });
  const address = old.addresses[0] ?? '';
  t.equal(await keeperOf(old).rotateWhenOld(address), false, 'not before 30 days');
  const keeper = keeperOf({ ...old, issuedAtMs: systemClock.now() - 31 * day });
  t.equal(await keeper.rotateWhenOld(address), true);
  const rotated = file.load();
  t.match(rotated, { credential: 'credential-1', previous: 'good' }, 'both are on disk until the new one was used');
  t.equal(await keeper.rotateWhenOld(address), false, 'one at a time');
  keeper.accepted(old);
  t.equal(file.load()?.previous, 'good', 'a stream with the old one proves nothing');
  keeper.accepted(keeper.current());
  t.match(file.load(), { credential: 'credential-1', previous: null });
  t.equal(keeper.fallBack(), false);

  const refused = keeperOf({ ...old, credential: 'unknown', previous: 'good' });
  t.equal(refused.fallBack(), true);
  t.match(file.load(), { credential: 'good', previous: null });

  writeFileSync(
    join(directory, 'credential.json'),
    readFileSync(join(directory, 'credential.json'), 'utf8').slice(0, 50),
  );
  t.throws(() => file.load(), /not a valid credential file; remove it and join again/);
  chmodSync(directory, 0o700);
});
