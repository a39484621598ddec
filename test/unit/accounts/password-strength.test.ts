import t from 'tap';
import {
  createPasswordProblem,
  PASSWORD_CHARS_MAX,
} from '../../../control-plane/accounts/passwords/password-strength.js';

const problem = createPasswordProblem();
const about = ['anna@example.com', 'Blumenladen Nord'];

t.test('common passwords, and those that are close to one, are refused with the reason', async (t) => {
  const refused: [string, RegExp][] = [
    ['short', /at least 12/],
    ['x'.repeat(PASSWORD_CHARS_MAX + 1), /at most 128/],
    ['123456789012', /common/],
    ['Password1234!', /common/],
    ['P@ssw0rd2026!', /common/],
    ['Liverpool2019', /common/],
    ['letmeinletmein', /repeat/],
    ['aaaaaaaaaaaaaaaa', /repeat/],
    ['abcdefghijklmnop', /row/],
    ['picketpicket1', /./],
    ['anna@example.com1', /your address/],
    ['blumenladennord', /./],
  ];
  for (const [password, reason] of refused) t.match((await problem(password, about))?.message ?? '', reason, password);
});

t.test('long words in any script are accepted', async (t) => {
  for (const password of [
    'correct horse battery staple',
    'my dog has fleas',
    'xkT9vq2Lm4sW',
    'мой кот спит весь день',
    '  leading and trailing  ',
    'Zq8fkeLw02mdPqRs'.repeat(8),
  ])
    t.equal(await problem(password, about), null, password);
});

t.test('too long is another reason than too weak', async (t) => {
  t.match(await problem('x'.repeat(PASSWORD_CHARS_MAX + 1), about), { code: 'max_length', params: { max: 128 } });
  t.match(await problem('short', about), { code: 'weak_password' });
});
