import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { fitted } from '../../../control-plane/on-call/page/fitted.js';
import { type IncidentPage, incidentPage } from '../../../control-plane/on-call/page/incident-page.js';
import type { Said } from '../../../control-plane/on-call/page/said.js';
import { amount } from '../../../control-plane/on-call/page/texts/metrics.js';
import { metricsDe } from '../../../control-plane/on-call/page/texts/metrics-de.js';
import { metricsEn } from '../../../control-plane/on-call/page/texts/metrics-en.js';
import { TEXTS } from '../../../control-plane/on-call/page/texts/texts.js';
import { TIMES_SCRIPT } from '../../../control-plane/on-call/page/time.js';
import type { RuleDecisionRecord } from '../../../control-plane/servers/rules/incident/decision-record.js';
import { CHECK_ERROR_CODES } from '../../../proto/check-result.js';
import { browserModule } from '../../helpers/dashboard/browser-module.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { buildIncident, decision, RESOLVED, vote } from '../../helpers/notifications/build.js';

const PAGE_BYTES_MAX = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12, 4, 4);

const CHANNEL = { id: 'chn_a', name: 'On call', receivers: null, onlyReceiver: null, linksRevokedUntilMs: 0 };
const LINK = { workspaceId: 'ws_a', incidentId: 'inc_a', channelId: 'chn_a', issuedAtMs: NOW };

/** Returns the page without its script. */
function pageOf(over: Partial<IncidentDocument> = {}, more: Partial<IncidentPage> = {}): string {
  const incident = buildIncident('ws_a', over);
  const html = incidentPage({
    ...{ incident, kind: KINDS.of(incident), names: { locationName: (code) => code }, unchanged: false },
    ...{ target: 'https://shop.example.com/', channel: CHANNEL, link: LINK, token: 'A'.repeat(96) },
    ...{ nowMs: NOW, expiresAtMs: NOW + 1_000, publicUrl: 'https://picket.example.com', language: 'en' },
    ...more,
  });
  return html.replace(`<script>${TIMES_SCRIPT}</script>`, '');
}

/** Text of a user at its worst: every character becomes five or six, or takes three or four bytes. */
const HOSTILE = [
  '"'.repeat(200),
  '<img onerror=alert(1)>'.repeat(9),
  '監'.repeat(200),
  '\u202e؈'.repeat(100),
  '😀'.repeat(100),
];

t.test('the head says that somebody is on it, and that nobody is told', async (t) => {
  const head = (more: object, language: 'en' | 'de' = 'en') =>
    /<p class="state [^>]*>.*?<\/p>/s.exec(pageOf(more, { language }))?.[0].replace(/<[^>]*>/g, '');
  t.equal(head({}), 'DOWN');
  t.equal(head({ status: 'silenced' }), 'DOWN · silenced');
  t.equal(head({ status: 'silenced', acknowledged_at_ms: 1 }), 'DOWN · acknowledged · silenced');
  t.equal(head({ acknowledged_at_ms: 1 }, 'de'), 'AUSGEFALLEN · bestätigt');
  t.equal(head({ status: 'silenced', acknowledged_at_ms: 1 }, 'de'), 'AUSGEFALLEN · bestätigt · stummgeschaltet');
});

t.test('the page has at most 60 kB, with 50 votes and 200 hostile characters in every name', async (t) => {
  const cases = HOSTILE.flatMap((text) => [
    { text, language: 'en' as const },
    { text, language: 'de' as const },
  ]);
  for (const { text, language } of cases) {
    const votes = Array.from({ length: 60 }, (_, index) => ({
      ...vote(`${index}`, 'down', 'connection_refused'),
      result: { ...vote('x', 'down', 'x').result, error: { code: 'unreachable', message: text.repeat(20) } } as never,
    }));
    const html = pageOf(
      {
        ...{ monitor_name: text, message: text.repeat(40), acknowledged_at_ms: 1, acknowledged_by: text },
        ...{ status: 'silenced', runbook_url: `https://wiki.example.com/${'&'.repeat(450)}` },
        events: [{ at_ms: 1, type: 'silenced', message: '', actor: text }],
        decision: { ...decision(votes), reason: text.repeat(9) },
      },
      {
        names: { locationName: () => text },
        channel: { ...CHANNEL, name: text, onlyReceiver: text },
        target: text.repeat(9),
        unchanged: true,
        language,
      },
    );
    const bytes = Buffer.byteLength(html) + Buffer.byteLength(TIMES_SCRIPT);
    t.ok(bytes <= PAGE_BYTES_MAX, `${bytes} bytes of ${text.slice(0, 5)} in ${language}`);
    t.equal(html.match(/<li /g)?.length, 50);
    t.ok(html.includes(language === 'en' ? 'and 10 more' : 'und 10 weitere Standorte'));
  }
});

t.test('texts of users are text, whatever they contain', async (t) => {
  const evil = `</title><script>alert(1)</script><img src=x onerror="alert(1)">'"&\u0000\n`;
  const html = pageOf(
    {
      monitor_name: evil,
      message: evil,
      acknowledged_at_ms: 1,
      acknowledged_by: evil,
      runbook_url: 'javascript:alert(1)',
    },
    {
      names: { locationName: () => evil },
      channel: { ...CHANNEL, name: evil, onlyReceiver: evil },
      target: evil,
      token: evil,
    },
  );
  t.notMatch(html, /<script|<img|javascript:/);
  t.equal(html.split('</title>').length, 2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left.
  t.notMatch(html, /[\u0000-\u0009\u000b-\u001f]/);
  t.match(html, /&lt;\/title&gt;&lt;script&gt;/);
});

t.test('right-to-left text does not turn the words of the page', async (t) => {
  const turned = '\u202eمتجر\u2067';
  const name = 'متجر';
  const html = pageOf(
    { monitor_name: turned, acknowledged_at_ms: 1, acknowledged_by: turned },
    { channel: { ...CHANNEL, name: turned } },
  );
  t.match(html, `<h1><bdi>${name}</bdi></h1>`);
  t.match(html, `by <bdi>${name}</bdi>.`);
  t.match(html, `the channel <bdi>${name}</bdi> and`);
  t.match(html, '<title>DOWN: متجر</title>');
  t.notMatch(pageOf({ message: turned }), /[\u202a-\u202e\u2066-\u2069]/);
});

t.test('the page says what is, and offers what is left to do', async (t) => {
  const buttons = (html: string) => [...html.matchAll(/<button[^>]* value="(\w+)"/g)].map(([, value]) => value);
  t.same(buttons(pageOf()), ['acknowledge', 'silence']);
  t.match(pageOf(), /For 4 min 12 s, since <time datetime="2026-01-31T11:59:52.000Z">2026-01-31 11:59:52 UTC<\/time>/);
  const acknowledged = pageOf({ acknowledged_at_ms: 1, acknowledged_by: 'ann@example.com' });
  t.same(buttons(acknowledged), ['silence']);
  t.match(acknowledged, '</span>DOWN · acknowledged</p>');
  t.match(acknowledged, '<p class="note done" role="status"><b>Acknowledged</b>');
  t.notMatch(pageOf(), /· acknowledged|note done/);
  t.match(pageOf(), /<header><svg [^>]*aria-hidden="true">.*<\/svg>Picket<\/header>/);
  const maintenance = pageOf({ status: 'silenced' });
  t.match(maintenance, 'by a maintenance window');
  t.same(buttons(maintenance), ['acknowledge', 'silence']);
  const resolved = pageOf(RESOLVED(buildIncident('ws_a').started_at_ms));
  t.same(buttons(resolved), []);
  t.match(resolved, /class="state up"><span class="mark"><\/span>RESOLVED/);
  t.match(resolved, /For 3 min 20 s, from/);
  t.match(pageOf({ severity: 'warning' }), 'class="state warn"');
  t.match(pageOf({ severity: 'critical' }), 'class="state down"');
});

t.test('incidents without votes show what else their kind knows', async (t) => {
  const html = pageOf(
    { kind: 'certificate', monitor_id: null, decision: null, message: 'The certificate of Shop expires in 3 days.' },
    { target: null },
  );
  t.match(html, 'CERTIFICATE EXPIRING');
  t.notMatch(html, /Votes when/);
  t.notMatch(html, /<h2>Details/);
});

t.test('the page is German for those who read German', async (t) => {
  const german = (over: Partial<IncidentDocument> = {}) => pageOf(over, { language: 'de' });
  const votes = [
    vote('fra', 'down', 'connection_refused'),
    vote('nyc', 'up', null),
    vote('sin', 'unknown', null),
    vote('lon', 'down', 'dns_failure'),
  ];
  const link = { channel_id: 'chn_a', channel_name: 'Bereitschaft', person: null };
  const html = german({
    ...{ decision: decision(votes), acknowledged_at_ms: 1, acknowledged_by: 'a link', acknowledged_link: link },
    ...{ status: 'silenced', events: [{ at_ms: 1, type: 'silenced', message: '', actor: 'ann@example.com' }] },
  });
  t.match(html, '<html lang="de">');
  t.match(
    html,
    '<p class="cause">2 von 3 Standorten melden einen Ausfall: Verbindung abgelehnt (fra), DNS-Fehler (lon).</p>',
  );
  t.match(html, /Seit 4 Min\. 12 s, ab <time/);
  const DAY_MS = 86_400_000;
  t.match(german({ started_at_ms: NOW - DAY_MS }), /Seit 1 Tag, ab <time/);
  t.match(german({ started_at_ms: NOW - 2.5 * DAY_MS }), /Seit 2 Tagen 12 Std\., ab <time/);
  t.match(html, /<b>Bestätigt<\/b> am <time[^>]*>[^<]*<\/time> von <bdi>einem Link im Kanal „Bereitschaft“<\/bdi>/);
  t.match(html, '<b>Stummgeschaltet</b> von <bdi>ann@example.com</bdi>.');
  t.match(html, '<bdi>fra</bdi>: <b>ausgefallen, Verbindung abgelehnt</b>');
  t.match(html, '<bdi>nyc</bdi>: <b>verfügbar, ');
  t.match(html, '<bdi>sin</bdi>: <b>keine Stimme');
  t.match(html, '<dt>Wortlaut der Benachrichtigung</dt><dd><bdi lang="en">');
  t.match(
    german({ decision: decision(votes.slice(0, 1)) }),
    '1 von 1 Standort meldet einen Ausfall: Verbindung abgelehnt (fra).',
  );
  t.match(german(RESOLVED(NOW - 1)), 'BEHOBEN');
  t.match(german(), 'Für 30 Min.');
});

t.test('the German page has no English sentence but the wording of the notification', async (t) => {
  const failing = (location: string) => {
    const one = vote(location, 'down', 'connection_refused');
    const error = { code: 'connection_refused', message: '127.0.0.1:9 refused the connection after 1 ms' };
    return { ...one, result: { ...one.result, error } as never };
  };
  const votes = [failing('fra'), failing('sin')];
  const html = pageOf(
    { decision: { ...decision(votes), reason: '2 of 2 valid votes are down, 2 needed' } },
    { language: 'de', names: { locationName: (code) => (code === 'sin' ? 'Singapore' : 'Frankfurt') } },
  );
  t.match(html, 'melden einen Ausfall: Verbindung abgelehnt (Frankfurt, Singapur).</p>');
  t.match(html, '<bdi>Singapur</bdi>: <b>ausgefallen');
  t.equal(html.match(/<bdi>127\.0\.0\.1:9 hat die Verbindung nach 1 ms abgelehnt<\/bdi>/g)?.length, 2);
  t.match(html, '<dd><bdi>2 von 2 gültigen Stimmen melden einen Ausfall, nötig: 2</bdi></dd>');
  t.equal(html.match(/lang="en"/g)?.length, 1);
});

/** Returns a sentence with the places of its times. */
const plain = (said: Said | null): string | null =>
  said === null ? null : said.map((piece) => (typeof piece === 'string' ? piece : '<time>')).join('');

t.test('the page says the cause of incidents without votes, from their facts', async (t) => {
  type Facts = Parameters<typeof TEXTS.de.cause>[0]['facts'];
  const at = '2026-01-31T12:00:00.000Z';
  const said = (facts: Facts, nowMs = NOW) => {
    const cause = { state: 'OFFLINE', votes: [], facts, nowMs };
    return [plain(TEXTS.en.cause(cause)), plain(TEXTS.de.cause(cause))];
  };
  t.same(said({ type: 'server_offline', since: at }), [
    'No sample from the agent of the server since <time>.',
    'Kein Messwert vom Agenten des Servers seit <time>.',
  ]);
  const disk = { type: 'disk_full' as const, mount: '/var', used_percent: 91.5 };
  t.same(said({ ...disk, full_at: null }), ['/var: 91.5 % used.', '/var: 91,5 % belegt.']);
  t.same(said({ ...disk, full_at: at }), [
    '/var: 91.5 % used, expected to be full by <time>.',
    '/var: 91,5 % belegt, voraussichtlich voll: <time>.',
  ]);
  const certificate = { type: 'certificate' as const, expires_at: at, issuer: 'Example CA' };
  t.same(said(certificate, Date.parse(at) - 1), [
    'The certificate expires on <time>. Issued by Example CA.',
    'Das Zertifikat läuft am <time> ab. Ausgestellt von Example CA.',
  ]);
  t.same(said({ ...certificate, issuer: '' }, Date.parse(at)), [
    'The certificate expired on <time>.',
    'Das Zertifikat ist am <time> abgelaufen.',
  ]);
  t.same(said({ type: 'blacklist', list: 'SpamCop', meanings: [] }), [null, 'Eingetragen auf SpamCop.']);
  t.same(
    plain(TEXTS.de.cause({ state: 'LISTED', votes: [], facts: null, nowMs: NOW })),
    'Das Ziel steht auf dieser Sperrliste.',
  );
});

t.test('no time of the page is bare text', async (t) => {
  const record: RuleDecisionRecord = {
    rule: {
      ...{ id: 'rule_1', name: 'CPU is busy', version: 1, type: 'metric', metric: 'cpu_percent', operator: '>' },
      ...{ threshold: 90.5, for_seconds: 300, within_hours: null, severity: 'warning' },
    },
    ...{ other_rules: [], samples: [], value: 97.2, forecast: null, reason: '' },
    times: { breaching_since_ms: NOW - 1, evaluated_at_ms: NOW, opened_at_ms: NOW, recovered_at_ms: null },
  };
  const server = {
    kind: 'server',
    monitor_id: null,
    monitor_name: null,
    message: 'cpu_percent is 97.2 % since 03:09:02 UTC',
  };
  const german = pageOf({ ...server, decision: record }, { language: 'de', target: null });
  t.match(german, /<p class="cause">CPU: 97,2 % seit <time[^>]*>[^<]*<\/time>\. Grenze der Regel: über 90,5 %\.<\/p>/);
  t.match(german, '<dt>Bedingung</dt><dd><bdi>CPU über 90,5 % für 5 Min.</bdi></dd>');
  t.match(german, '<dt>Wert</dt><dd><bdi>97,2</bdi></dd>');
  t.equal(german.match(/lang="en"/g)?.length, 1, 'only the wording of the notification is in English');
  const english = pageOf({ ...server, decision: record }, { target: null });
  t.match(
    english,
    /<p class="cause">CPU: 97\.2 % since <time[^>]*>[^<]*<\/time>\. Limit of the rule: above 90\.5 %\.<\/p>/,
  );
  t.match(
    english,
    '<dt>Text of the notification</dt><dd><bdi lang="en">cpu_percent is 97.2 % since 03:09:02 UTC</bdi>',
  );
  t.match(english, '<dt>Condition</dt><dd><bdi>cpu_percent &gt; 90.5 for 5 min</bdi></dd>');
  const disk = {
    ...record,
    rule: { ...record.rule, type: 'disk_full' as const, metric: 'disk_full:/var', within_hours: 24 },
  };
  t.match(pageOf({ ...server, decision: disk }, { language: 'de' }), '<bdi>/var innerhalb von 24 Std. voll</bdi>');
  const confirmed = (language: 'en' | 'de') =>
    plain(TEXTS[language].fact('Confirmed', '2026-01-31 12:00:05 UTC, by two lookups').said);
  t.same([confirmed('en'), confirmed('de')], ['<time>, by two lookups', '<time>, durch zwei Abfragen']);
  const unknown = TEXTS.de.fact('Confirmed', 'by a later version');
  t.same(unknown, { said: ['by a later version'], isEnglish: true });
});

t.test('the English page says an outage with the names of the locations', async (t) => {
  const votes = ['fra', 'nyc', 'sin'].map((location) => vote(location, 'down', 'connection_refused'));
  const html = pageOf(
    { decision: decision(votes), message: 'Shop is down. First failed check 19:19:42 UTC.' },
    { names: { locationName: (code) => (code === 'fra' ? 'Frankfurt' : code) } },
  );
  t.match(html, '<p class="cause">3 of 3 locations report an outage: connection refused (Frankfurt, nyc, sin).</p>');
  t.equal(html.match(/First failed check/g)?.length, 1, 'the notification is quoted');
  const listed = pageOf({ kind: 'blacklist', decision: null, message: 'Listed.' });
  t.equal(listed.match(/Listed\./g)?.length, 1, 'the sentence that is the cause is not repeated');
});

t.test('the metrics of rules are named as the dashboard names them', async (t) => {
  type Words = { metrics: object; operators: object };
  const { en, de } = {
    ...(await browserModule<{ en: Words }>('parts/alert-rules/metric-texts/en.ts')),
    ...(await browserModule<{ de: Words }>('parts/alert-rules/metric-texts/de.ts')),
  };
  t.same(metricsEn.names, en.metrics);
  t.same(metricsEn.operators, en.operators);
  t.same(metricsDe.names, de.metrics);
  t.same(metricsDe.operators, de.operators);
  const { METRICS } = await browserModule<{ METRICS: Record<string, { unit: string }> }>(
    'parts/alert-rules/metrics.ts',
  );
  const units: Record<string, string> = { percent: '7 %', bytes: '7 MB', bytes_per_second: '7 MB/s', seconds: '7 s' };
  for (const [metric, { unit }] of Object.entries(METRICS)) {
    const value = unit.startsWith('bytes') ? 7_000_000 : 7;
    t.equal(amount(`${metric}:x`, value, String), units[unit] ?? '7', metric);
  }
});

t.test('why a check failed is said as the dashboard says it, for every code', async (t) => {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de'] } });
  const { checkErrorText } = await browserModule<{ checkErrorText(error: { code: string; message: string }): string }>(
    'texts/check-errors/check-error.ts',
  );
  for (const code of CHECK_ERROR_CODES) {
    const message = '192.0.2.1:443 took after 1.5 s "word", expected status 200, got 500';
    const { text, isEnglish } = TEXTS.de.failure(code, message);
    t.equal(text, checkErrorText({ code, message }), code);
    t.notOk(isEnglish);
  }
});

t.test('every state of every kind of incident has German words', async (t) => {
  const server = (type: string) => ({ kind: 'server', decision: { rule: { type }, samples: [] } as never });
  const all: Partial<IncidentDocument>[] = [
    { kind: 'monitor' },
    { kind: 'certificate' },
    { kind: 'blacklist', decision: null },
    ...['silence:fra', 'quarantine:fra', 'locations:broken'].map((subject) => ({ kind: 'location', subject })),
    ...['metric', 'server_offline', 'disk_full'].map(server),
    { kind: 'of_an_earlier_version' },
  ];
  const states = new Set<string>();
  for (const over of all) {
    const incident = buildIncident('ws_a', over);
    const { opened } = KINDS.of(incident).state(incident);
    states.add(opened);
    const said = TEXTS.de.cause({ state: opened, votes: [], facts: null, nowMs: NOW });
    t.not(said, null, `${opened} is explained`);
    if (opened !== 'OFFLINE') t.not(TEXTS.de.state(opened), opened);
  }
  t.equal(states.size, 9);
});

t.test('a text is cut between two characters, whatever it takes', async (t) => {
  t.equal(fitted('a<b', 20), 'a&lt;b');
  t.equal(fitted('a&&&&', 12), 'a&amp;…');
  t.equal(fitted('😀😀', 9), '😀…');
  t.equal(fitted('a\nb\u0000', 20), 'a b ');
});

t.test('a failure that did not count is no missing vote, and the numbers are those of the decision', async (t) => {
  const votes = [
    ...[vote('fra', 'down', 'connection_refused'), vote('nyc', 'down', 'connection_refused'), vote('lon', 'unknown')],
    { ...vote('sin', 'down', 'connection_refused'), retrying: true },
  ];
  const html = pageOf({ decision: decision(votes) });
  t.match(html, '<bdi>sin</bdi>: <b>fails, connection refused, not counted: retrying</b>');
  t.match(html, '<bdi>lon</bdi>: <b>no vote, no probe</b>');
  const german = pageOf({ decision: decision(votes) }, { language: 'de' });
  t.match(german, '2 von 3 Standorten melden einen Ausfall: Verbindung abgelehnt (fra, nyc).');
  t.match(german, '<bdi>sin</bdi>: <b>schlägt fehl,');
});
