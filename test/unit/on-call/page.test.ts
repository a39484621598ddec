import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { fitted } from '../../../control-plane/on-call/page/fitted.js';
import { type IncidentPage, incidentPage } from '../../../control-plane/on-call/page/incident-page.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { buildIncident, decision, RESOLVED, vote } from '../../helpers/notifications/build.js';

const PAGE_BYTES_MAX = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12, 4, 4);

function pageOf(over: Partial<IncidentDocument> = {}, more: Partial<IncidentPage> = {}): string {
  const incident = buildIncident('ws_a', over);
  return incidentPage({
    ...{ incident, kind: KINDS.of(incident), names: { locationName: (code) => code }, unchanged: false },
    ...{ target: 'https://shop.example.com/', channelName: 'On call', token: 'A'.repeat(96) },
    ...{ nowMs: NOW, expiresAtMs: NOW + 1_000, publicUrl: 'https://picket.example.com' },
    ...more,
  });
}

/** Text of a user at its worst: every character becomes five or six, or takes three or four bytes. */
const HOSTILE = [
  '"'.repeat(200),
  '<img onerror=alert(1)>'.repeat(9),
  '監'.repeat(200),
  '\u202e؈'.repeat(100),
  '😀'.repeat(100),
];

t.test('the page has at most 60 kB, with 50 votes and 200 hostile characters in every name', async (t) => {
  for (const text of HOSTILE) {
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
      { names: { locationName: () => text }, channelName: text, target: text.repeat(9), unchanged: true },
    );
    t.ok(Buffer.byteLength(html) <= PAGE_BYTES_MAX, `${Buffer.byteLength(html)} bytes of ${text.slice(0, 5)}`);
    t.equal(html.match(/<li /g)?.length, 50);
    t.ok(html.includes('and 10 more'));
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
    { names: { locationName: () => evil }, channelName: evil, target: evil, token: evil },
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
    { channelName: turned },
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
  t.same(buttons(pageOf({ acknowledged_at_ms: 1, acknowledged_by: 'ann@example.com' })), ['silence']);
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

t.test('a text is cut between two characters, whatever it takes', async (t) => {
  t.equal(fitted('a<b', 20), 'a&lt;b');
  t.equal(fitted('a&&&&', 12), 'a&amp;…');
  t.equal(fitted('😀😀', 9), '😀…');
  t.equal(fitted('a\nb\u0000', 20), 'a b ');
});
