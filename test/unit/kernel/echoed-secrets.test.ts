import t from 'tap';
import { withoutEchoes } from '../../../kernel/echoed-secrets.js';

const sent = {
  url: 'https://hooks.example.com/services/T0PATHSECRET/v1?token=QUERY%2BSECRET&a=b',
  headers: { 'content-type': 'application/json', authorization: 'Bearer tk_0123456789' },
};

t.test('an answer that repeats the request shows no part of it that may be a secret', async (t) => {
  const answers = [
    'Cannot POST /services/T0PATHSECRET/v1?token=QUERY%2BSECRET&a=b',
    'no such service: T0PATHSECRET',
    'token QUERY+SECRET is unknown',
    '{"authorization":"Bearer tk_0123456789","accept":"*/*"}',
    'invalid credentials: tk_0123456789',
  ];
  for (const answer of answers) {
    const shown = withoutEchoes(answer, sent);
    t.match(shown, '[secret]', answer);
    t.notMatch(shown, /PATHSECRET|QUERY|0123456789/, answer);
  }
});

t.test('other text stays as it is', async (t) => {
  const answer = 'no_service: application/json is not a text for b, v1 and Bearer';
  t.equal(withoutEchoes(answer, sent), answer);
  t.equal(withoutEchoes('gone', { url: 'no URL', headers: {} }), 'gone');
  t.equal(withoutEchoes('/', { url: 'https://example.com/', headers: {} }), '/');
});
