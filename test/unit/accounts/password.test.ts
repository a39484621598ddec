import * as argon2 from '@node-rs/argon2';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import t from 'tap';
import { createPasswords } from '../../../control-plane/accounts/passwords/password.js';
import { AppError } from '../../../control-plane/errors.js';

const KEY = Buffer.alloc(32, 7);
const BY = { email: 'me@example.com', ip: '192.0.2.1', isKnown: false };
const passwords = createPasswords({ argon2, cores: 2, key: KEY });

t.test('a hash belongs to one password, in every Unicode form of it', async (t) => {
  const stored = await passwords.hash('correct horse bättery');
  t.match(parseOptions(stored.slice('keyed'.length)), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  t.equal(await passwords.verify(stored, 'correct horse bättery'.normalize('NFD'), BY), true);
  t.equal(await passwords.verify(stored, 'correct horse battery', BY), false);
});

t.test('a hash cannot be verified without the key of the installation', async (t) => {
  const stored = await passwords.hash('correct horse battery');
  t.match(stored, /^keyed\$argon2id\$v=19\$/);
  const phc = stored.slice('keyed'.length);
  t.equal(await verify(phc, 'correct horse battery'), false, 'without the key');
  t.equal(await verify(phc, 'correct horse battery', { secret: KEY }), true);
  const other = createPasswords({ argon2, cores: 2, key: Buffer.alloc(32, 8) });
  t.equal(await other.verify(stored, 'correct horse battery', BY), false, 'with the key of another installation');
  t.equal(passwords.isOutdated(stored), false);
});

t.test('a hash of an earlier version works, and should be replaced', async (t) => {
  const stored = await hash('correct horse battery');
  t.equal(await passwords.verify(stored, 'correct horse battery', BY), true);
  t.equal(await passwords.verify(stored, 'wrong horse battery', BY), false);
  t.equal(
    await passwords.verify(`keyed${stored}`, 'correct horse battery', BY),
    false,
    'the mark decides, not a second try',
  );
  t.equal(passwords.isOutdated(stored), true);
});

/** Returns what the work of a verification depends on: the parameters of Argon2id, and the lengths of salt and hash. */
function workOf(phc: string): unknown[] {
  const [salt, tag] = phc.split('$').slice(-2);
  return [parseOptions(phc), salt?.length, tag?.length];
}

t.test('without a hash every password is wrong, after the same work as with one', async (t) => {
  const verified: string[] = [];
  const counting = createPasswords({
    ...{ cores: 2, key: KEY },
    argon2: {
      hash,
      verify(phc, ...rest) {
        verified.push(String(phc));
        return verify(phc, ...rest);
      },
    },
  });
  for (const of of [await passwords.hash('correct horse battery'), await hash('correct horse battery'), null]) {
    t.equal(await counting.verify(of, 'wrong horse battery', BY), false);
  }
  const [keyed, earlier, nobodys] = verified.map(workOf);
  t.equal(verified.length, 3, 'one hash for each attempt');
  t.same(nobodys, keyed);
  t.same(nobodys, earlier);
});

t.test('at most 300 passwords wait to be hashed', async (t) => {
  const attempts = Array.from({ length: 310 }, () => passwords.verify(null, 'x', BY).catch((error: unknown) => error));
  const refused = (await Promise.all(attempts)).filter((result) => result !== false);
  t.equal(refused.length, 310 - 301, 'one runs and 300 wait');
  for (const error of refused) {
    t.ok(error instanceof AppError);
    t.match(error, { code: 'rate_limited', extra: { headers: { 'Retry-After': '2' } } });
  }
});

t.test('sign-ups, from however many addresses, do not keep out a log-in', async (t) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waits = async <T>(result: T) => released.then(() => result);
  const busy = createPasswords({
    ...{ cores: 2, key: KEY },
    argon2: { hash: () => waits('$argon2id$'), verify: () => waits(false) },
  });
  const signUps = Array.from({ length: 310 }, (_, index) =>
    busy.hash('x', { stranger: `198.51.100.${index % 256}` }).catch((error: unknown) => error),
  );
  const logIn = busy.verify(null, 'x', BY);
  release();
  t.equal(await logIn, false, 'it is checked, and not refused');
  const refused = (await Promise.all(signUps)).filter((result) => result instanceof AppError);
  t.equal(refused.length, 10, 'nine that found no place, and one that made room');
});
