import t from 'tap';
import { failedMail } from '../../../../control-plane/mail/outcome.js';
import { systemClock } from '../../../../kernel/clock.js';
import { classifyFailure } from '../../../../kernel/fetch-failure.js';
import { createGuardedFetch } from '../../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../../kernel/guard/target-guard.js';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';
import { freePort } from '../../../helpers/machine/ports.js';
import { startReceiver } from '../../../helpers/machine/webhook-receiver.js';

type Say = (error: string) => string;

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de'] } });
const german = (await browserModule<{ deliveryErrorText: Say }>('texts/delivery-errors/delivery-error.ts'))
  .deliveryErrorText;
const words = await browserModule<{ sentences: Record<string, (facts: object) => string> }>(
  'texts/delivery-errors/en.ts',
);

/** What Node.js and its machine call things; nobody should have to read it. */
const RAW = /\b(E[A-Z]{4,}|UND_ERR|CERT_|DEPTH_|getaddrinfo|connect E)|^\w+:/;

const failure = (code: string, message: string) => {
  const error = classifyFailure(Object.assign(new Error(message), { code }), new AbortController().signal, 15_000);
  return `${error.code}: ${error.message}`;
};
const mailFailure = (code: string, message: string) => {
  const outcome = failedMail(Object.assign(new Error(message), { code }), new AbortController().signal, []);
  return 'error' in outcome ? outcome.error : '';
};

t.test('what really happens between machines is said in words', async (t) => {
  const open = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock: systemClock });
  const closed = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: false }), clock: systemClock });
  const receiver = await startReceiver();
  t.teardown(() => Promise.all([open.close(), closed.close(), receiver.close()]));
  const errorOf = async (fetch: typeof open, url: string) =>
    fetch
      .request(url, { method: 'POST', headers: {}, body: '{}', timeoutMs: 1_500 })
      .then(() => 'no error')
      .catch((error: { code: string; message: string }) => `${error.code}: ${error.message}`);
  const nobody = `127.0.0.1:${await freePort()}`;
  t.equal(german(await errorOf(open, `http://${nobody}/`)), `${nobody} hat die Verbindung abgelehnt`);
  t.equal(german(await errorOf(open, 'http://127.0.0.1:9/')), 'Diese URL ist nicht erlaubt', 'a reserved port');
  t.equal(
    german(await errorOf(closed, `http://${nobody}/`)),
    '127.0.0.1 führt zu einer Adresse, die diese Installation nicht erlaubt',
  );
  receiver.behave('reset');
  t.equal(german(await errorOf(open, receiver.url)), 'Der Empfänger hat die Verbindung vor seiner Antwort beendet');
  receiver.behave('hang');
  t.equal(
    german(await errorOf(open, receiver.url)),
    'Der Empfänger hat nicht innerhalb von 1,5 s vollständig geantwortet',
  );
});

t.test('each kind of error has words without what the machine calls it', (t) => {
  const says = (error: string, said: string | RegExp) => {
    t.match(german(error), said, error);
    t.notMatch(german(error), RAW, error);
  };
  says(
    failure('ENOTFOUND', 'getaddrinfo ENOTFOUND hooks.example.com'),
    'Der Name „hooks.example.com“ ließ sich nicht auflösen',
  );
  says(failure('EHOSTUNREACH', 'connect EHOSTUNREACH 192.0.2.1:443'), '192.0.2.1:443 ist nicht erreichbar');
  says(failure('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'), /nicht rechtzeitig angenommen/);
  says(failure('UND_ERR_SOCKET', 'other side closed'), /beendet/);
  says(failure('CERT_HAS_EXPIRED', 'certificate has expired'), 'Das Zertifikat des Empfängers ist abgelaufen');
  says(failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), /nicht vertrauenswürdig/);
  says(failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match'), /für einen anderen Namen/);
  says(failure('EPROTO', 'write EPROTO 0:error:0A00010B:SSL routines::wrong version number'), /kein TLS/);
  says(failure('HPE_INVALID_CONSTANT', 'Expected HTTP/'), 'Die Antwort des Empfängers ist kein gültiges HTTP');
  says(mailFailure('ESOCKET', 'connect ECONNREFUSED 127.0.0.1:25'), '127.0.0.1:25 hat die Verbindung abgelehnt');
  says(mailFailure('EAUTH', 'Invalid login: 535 no'), /akzeptiert Namen und Passwort dieser Installation nicht/);
  says(
    mailFailure('EENVELOPE', "Can't send mail - all recipients were rejected: 550 no such user"),
    'Der Mailserver hat die Adressen abgelehnt: 550 no such user',
  );
  says('refused for ann@example.com', 'Der Mailserver hat ann@example.com abgelehnt');
  says('HTTP 301 (a redirect, not followed)', 'Der Empfänger leitet auf eine andere Adresse weiter (Status 301)');
  says('no mail server is configured (PICKET_SMTP_URL)', /keinen Mailserver/);
  says('no owner of the workspace has confirmed their e-mail address', /bestätigt/);
  says('disabled manually', 'von einer Person ausgeschaltet');
  t.end();
});

t.test('what a receiver answered stays as it is, whatever it says', (t) => {
  for (const answer of ['HTTP 404: no such hook', 'HTTP 502: connect ECONNREFUSED 10.0.0.1:80', 'something new']) {
    t.equal(german(answer), answer);
  }
  t.end();
});

t.test('English words end a sentence, also without facts', (t) => {
  for (const [name, say] of Object.entries(words.sentences)) {
    const said = say({ where: '', time: '', said: '' });
    t.notMatch(said, /undefined| {2}|^[A-Z](?!icket)|\.$/, name);
  }
  t.end();
});
