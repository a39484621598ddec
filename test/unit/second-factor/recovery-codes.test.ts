import t from 'tap';
import { makeRecoveryCodes, recoveryCodeHash } from '../../../control-plane/second-factor/recovery-codes/code.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';

const box = createSecretBox(systemRandom.bytes(32), systemRandom);

t.test('ten different codes, of which only keyed hashes are stored', async (t) => {
  const { codes, stored } = makeRecoveryCodes(box, systemRandom);
  t.equal(new Set(codes).size, 10);
  for (const code of codes) t.match(code, /^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/);
  t.strictSame(
    stored.hashes,
    codes.map((code) => recoveryCodeHash(box, stored.salt, code)),
  );
  const otherKey = createSecretBox(systemRandom.bytes(32), systemRandom);
  t.notOk(stored.hashes.includes(recoveryCodeHash(otherKey, stored.salt, codes[0] ?? '') ?? ''), 'the hash is keyed');
  t.notOk(stored.hashes.includes(recoveryCodeHash(box, 'other', codes[0] ?? '') ?? ''), 'the hash is salted');
  t.equal(Buffer.from(stored.salt, 'base64url').length, 16);
  t.not(makeRecoveryCodes(box, systemRandom).stored.salt, stored.salt, 'each set has a salt of its own');
});

t.test('what people type', async (t) => {
  const hash = recoveryCodeHash(box, 'salt', '1010-abcd-efgh');
  for (const typed of ['1010abcdefgh', 'LoIO ABCD EFGH', ' 1010-ABCD-EFGH ', '10-10-ab-cd-ef-gh']) {
    t.equal(recoveryCodeHash(box, 'salt', typed), hash, typed);
  }
  for (const typed of ['', '1010-abcd-efg', '1010-abcd-efghj', '1010-abcd-efgu', `1010-abcd-efgh${' '.repeat(30)}`]) {
    t.equal(recoveryCodeHash(box, 'salt', typed), null, JSON.stringify(typed));
  }
});
