import t from 'tap';
import { CHALLENGE_MS, createChallenges } from '../../../control-plane/second-factor/passkeys/challenge.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';

const START_MS = 1_780_000_000_000;
const box = createSecretBox(systemRandom.bytes(32), systemRandom);

function at(nowMs: number, key = box) {
  return createChallenges({ box: key, random: systemRandom, now: () => nowMs });
}

t.test('a challenge is valid for five minutes, on every control plane', async (t) => {
  const challenge = at(START_MS).make('sign-in');
  const expiryMs = START_MS + CHALLENGE_MS;
  t.equal(at(START_MS).expiryOf(challenge, 'sign-in'), expiryMs);
  t.equal(at(expiryMs - 1).expiryOf(challenge, 'sign-in'), expiryMs);
  t.equal(at(expiryMs).expiryOf(challenge, 'sign-in'), null, 'expired');
  t.equal(at(START_MS, createSecretBox(systemRandom.bytes(32), systemRandom)).expiryOf(challenge, 'sign-in'), null);
  t.not(at(START_MS).make('sign-in'), challenge);
});

t.test('a challenge works only for what it was made for', async (t) => {
  const challenge = at(START_MS).make('registration in ses_a');
  t.ok(at(START_MS).expiryOf(challenge, 'registration in ses_a'));
  t.equal(at(START_MS).expiryOf(challenge, 'registration in ses_b'), null);
  t.equal(at(START_MS).expiryOf(challenge, 'sign-in'), null);
});

t.test('a changed challenge is not ours, and neither is another spelling of the same bytes', async (t) => {
  const challenges = at(START_MS);
  const challenge = challenges.make('sign-in');
  const bytes = Buffer.from(challenge, 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    t.equal(challenges.expiryOf(changed.toString('base64url'), 'sign-in'), null, `byte ${index}`);
  }
  for (const other of ['', 'x', `${challenge}=`, `${challenge}\n`, challenge.slice(1), `${challenge}A`]) {
    t.equal(challenges.expiryOf(other, 'sign-in'), null, JSON.stringify(other));
  }
});
