import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });

type Said = readonly (string | { at: string; form: string })[];

const { causeSentence } = await browserModule<{ causeSentence(incident: object): Said }>(
  'parts/incidents/cause-sentence.ts',
);

const AT = '2026-01-31T12:00:00.000Z';
const said = (facts: object | null): string =>
  causeSentence({ facts, message: 'English.' })
    .map((piece) => (typeof piece === 'string' ? piece : `<${piece.form}>`))
    .join('');

t.test('why an incident opened is said in the language of the page', (t) => {
  const metric = { type: 'metric', metric: 'cpu_percent', operator: '>', threshold: 90, value: 97.2, since: AT };
  t.equal(said(metric), 'CPU: 97,2 % seit <short>. Grenze der Regel: über 90 %.');
  const received = { ...metric, metric: 'net_bytes_recv_rate:eth0', threshold: 5_000_000, value: 6_500_000 };
  t.match(said(received), /eth0: 6,5 MB\/s seit <short>\. Grenze der Regel: über 5 MB\/s\.$/);
  t.match(said({ ...metric, metric: 'own_metric' }), /^own_metric: 97,2 seit /, 'a metric that the pages do not know');
  t.equal(said({ type: 'server_offline', since: AT }), 'Kein Messwert vom Agenten des Servers seit <short>.');
  const disk = { type: 'disk_full', mount: '/var', used_percent: 91, full_at: AT };
  t.equal(said(disk), '/var: 91,00 % belegt, nach dem Verlauf bei der Eröffnung <at> voll.');
  t.equal(said({ ...disk, full_at: null }), '/var: 91,00 % belegt.');
  t.equal(
    said({ type: 'certificate', expires_at: AT, issuer: 'R11' }),
    'Ablaufdatum des Zertifikats: <day>. Ausgestellt von R11.',
  );
  t.equal(
    said({ type: 'blacklist', list: 'Spamhaus ZEN', meanings: ['SBL', 'XBL'] }),
    'Eingetragen auf Spamhaus ZEN (SBL und XBL).',
  );
  t.equal(said({ type: 'blacklist', list: 'SORBS', meanings: [] }), 'Eingetragen auf SORBS.');
  const outage = { type: 'outage', failing: 3, of: 5, needed: 3, error: null, has_other_errors: false };
  const error = { code: 'tls_untrusted', message: 'self-signed' };
  t.equal(said({ ...outage, error }), '3 von 5 Standorten meldeten ein nicht vertrauenswürdiges Zertifikat.');
  t.equal(
    said({ ...outage, error: { code: 'odd', message: 'X' }, has_other_errors: true }),
    '3 von 5 Standorten meldeten X oder einen anderen Fehler.',
  );
  t.equal(said({ ...outage, failing: 1, of: 1 }), '1 von 1 Standort meldete einen Ausfall.');
  t.equal(said(null), 'English.', 'without facts, the sentence of the API');
  t.end();
});
