import t from 'tap';
import { CheckFailure } from '../../../../probe/checks/outcome.js';
import { socketFailure, timedOut } from '../../../../probe/checks/socket-failure.js';
import { CHECK_ERROR_CODES } from '../../../../proto/check-result.js';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de'] } });
const { checkErrorText } = await browserModule<{ checkErrorText(error: { code: string; message: string }): string }>(
  'texts/check-errors/check-error.ts',
);

const said = ({ code, message }: CheckFailure) => checkErrorText({ code, message });
const at = { address: '127.0.0.1', port: 9, elapsedMs: 1 };

t.test('why a check failed is said in German, with the facts of the probe', (t) => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  t.equal(
    said(socketFailure(refused, { ...at, step: 'connecting' })),
    '127.0.0.1:9 hat die Verbindung nach 1 ms abgelehnt',
  );
  t.equal(
    said(timedOut({ ...at, address: '2001:db8::1', port: 443, step: 'connecting' }, 1_500)),
    '[2001:db8::1]:443 hat die Verbindung nicht innerhalb von 1,5 s angenommen',
  );
  t.equal(said(new CheckFailure('status_mismatch', 'expected status 200, got 500')), 'Status 500, erwartet war 200');
  t.equal(
    said(new CheckFailure('keyword_missing', 'the body of 9 bytes does not contain the keyword "Willkommen"')),
    'Der Text „Willkommen“ fehlt in der Antwort',
  );
  t.end();
});

t.test('every code has German words, also without facts', (t) => {
  for (const code of CHECK_ERROR_CODES) {
    t.match(checkErrorText({ code, message: '?' }), /^[A-ZÄÖÜ][^?]+$/, code);
    t.notMatch(checkErrorText({ code, message: '?' }), /undefined| {2}|""|„“/, code);
  }
  t.equal(checkErrorText({ code: 'later', message: 'a new failure' }), 'A new failure');
  t.end();
});
