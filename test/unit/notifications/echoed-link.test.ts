import t from 'tap';
import { withoutEchoedLink } from '../../../control-plane/notifications/delivery/without-echoed-link.js';

const TOKEN = 'AZwsr4AAAbcDEfghIJKLmnopQRSTuvwxYZ0123456789-_abcdEFGHijklMNOPqrstUVWXyz0246813579-_ACEGIKMOQSUWYacegik';
const LINK = `https://picket.example.com/on-call?t=${TOKEN}`;
const errorOf = (error: string) => {
  const outcome = withoutEchoedLink({ kind: 'refused', error, responseStatus: 400 }, LINK);
  return outcome.kind === 'refused' ? outcome.error : '';
};

t.test('no text of an outcome repeats the token of a link', async (t) => {
  t.equal(
    errorOf(`HTTP 400: bad field "${LINK}" in body`),
    'HTTP 400: bad field "https://picket.example.com/on-call?[secret]" in body',
  );
  for (const outcome of [
    withoutEchoedLink({ kind: 'sent', responseStatus: 200, warning: LINK }, LINK),
    withoutEchoedLink({ kind: 'skipped', reason: LINK }, LINK),
    withoutEchoedLink({ kind: 'retry', error: LINK, responseStatus: null, retryAfterMs: null }, LINK),
    withoutEchoedLink({ kind: 'gone', error: LINK, responseStatus: 410 }, LINK),
  ]) {
    t.notMatch(JSON.stringify(outcome), TOKEN.slice(40, 60));
  }
});

t.test('nor a part of it: an error is cut at its limit, and the rest of a token could be guessed', async (t) => {
  for (let length = 8; length < TOKEN.length; length++) {
    t.equal(errorOf(`cut: ${TOKEN.slice(0, length)}`), 'cut: [secret]');
    t.equal(errorOf(`${TOKEN.slice(-length)} is long`), '[secret] is long');
  }
  t.equal(errorOf(`lines ${TOKEN.slice(0, 50)}\n${TOKEN.slice(50)}`), 'lines [secret]\n[secret]');
});

t.test('other texts stay as they are', async (t) => {
  const error = 'HTTP 400: https://picket.example.com/on-call is not known';
  t.equal(errorOf(error), error);
  const outcome = { kind: 'refused', error: LINK, responseStatus: 400 } as const;
  t.equal(withoutEchoedLink(outcome, null), outcome, 'a message without a link');
});
