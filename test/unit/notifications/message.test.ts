import fc from 'fast-check';
import t from 'tap';
import { cut, cutBytes, cutEscaped } from '../../../control-plane/cut.js';
import { duration } from '../../../control-plane/duration.js';
import type { RowEvent } from '../../../control-plane/notifications/documents.js';
import { incidentMessage, testMessage } from '../../../control-plane/notifications/message.js';
import { utc } from '../../../control-plane/wording.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { buildIncident, decision, RESOLVED, vote } from '../../helpers/notifications/build.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12);

t.test('a message contains the state, the start, the locations and the links', async (t) => {
  const incident = buildIncident('ws_a');
  const input = {
    id: 'n1',
    event: 'opened' as RowEvent,
    eventMs: Date.UTC(2026, 0, 31, 12, 0, 1),
    incident,
    incidentKind: KINDS.of(incident),
    sent: [],
    monitor: { id: 'mon_x', name: 'Shop', url: 'https://shop.example.com/health', type: 'http' },
    publicUrl: 'https://picket.example.com',
    actionLink: 'http://picket.test/on-call?t=token',
    locationName: (code: string) =>
      ({ fra: 'Frankfurt', nyc: 'New York', lon: 'London', sin: 'Singapore' })[code] ?? code,
    renderIncident: () => ({ id: incident._id }),
  };
  const opened = incidentMessage(input);
  t.equal(opened.title, 'DOWN: Shop');
  t.equal(opened.link, `https://picket.example.com/incidents/${incident._id}`);
  t.equal(opened.runbookLink, 'https://wiki.example.com/shop');
  t.same(opened.facts, [
    { label: 'Target', value: 'https://shop.example.com/health' },
    { label: 'Since', value: '2026-01-31 11:59:52 UTC' },
    { label: 'Severity', value: 'warning' },
    { label: 'Failing from', value: 'Frankfurt (connection refused), New York (response timeout)' },
    { label: 'Working from', value: 'London' },
    { label: 'No vote from', value: 'Singapore (no probe)' },
    { label: 'Confirmed', value: '2026-01-31 12:00:01 UTC, by 2 of 3 locations' },
  ]);
  t.same(opened.payload.type, 'incident.opened');

  const below = (total: number, names: string[], down = names.length) =>
    incidentMessage({ ...input, incident: { ...incident, dependents: { total, down, names } } });
  const dependOnIt = (total: number, names: string[], down?: number) =>
    below(total, names, down).facts.find(({ label }) => label === 'Depend on it')?.value;
  t.equal(below(30, ['a', 'b'], 30).title, 'DOWN: Shop and 30 that depend on it');
  t.equal(below(30, ['a', 'b'], 7).title, 'DOWN: Shop and 7 of 30 that depend on it');
  t.equal(below(1, ['a']).title, 'DOWN: Shop and 1 that depends on it');
  t.equal(below(30, []).title, 'DOWN: Shop', 'none is down so far');
  t.match(dependOnIt(30, ['a', 'b'], 30), /^30, 30 of them down: a, b and 28 more\. /);
  t.match(dependOnIt(2, ['a', 'b']), /^2, 2 of them down: a, b\. /);
  t.match(dependOnIt(30, []), /^30, none of them reported down so far\. /);

  const resolved = { ...incident, ...RESOLVED(incident.started_at_ms) };
  const endedWith = (down: number) => {
    const dependents = { total: 30, down, names: ['a'].slice(0, down) };
    const { facts } = incidentMessage({ ...input, event: 'resolved', incident: { ...resolved, dependents } });
    return facts.find(({ label }) => label === 'Depend on it')?.value;
  };
  t.match(endedWith(7), /^30, 7 of them still down at the end: a and 6 more\. /);
  t.equal(endedWith(0), undefined);
  const up = incidentMessage({ ...input, event: 'resolved', incident: resolved });
  t.equal(up.title, 'UP: Shop (was down 3 min 20 s)');
  const recovery = JSON.parse(JSON.stringify(incident.decision));
  recovery.times.first_failed_at_ms = incident.started_at_ms - 10 * MINUTE;
  const reopened = incidentMessage({ ...input, event: 'resolved', incident: { ...resolved, recovery } });
  t.equal(reopened.title, 'UP: Shop (was down 13 min 20 s)', 'the outage began before this incident of it');
  const resolvedManually = {
    ...resolved,
    resolution: 'manual',
    events: [{ at_ms: 1, type: 'resolved' as const, message: '', actor: 'ann@example.com' }],
  };
  const manual = incidentMessage({ ...input, event: 'resolved', incident: resolvedManually });
  t.equal(manual.title, 'RESOLVED: Shop (after 3 min 20 s)', 'a manual resolve does not claim a recovery');
  t.ok(manual.facts.some((fact) => fact.value === 'resolved manually by ann@example.com'));

  const acknowledged = { ...incident, acknowledged_at_ms: NOW, acknowledged_by: 'ann@example.com' };
  const ack = incidentMessage({ ...input, event: 'acknowledged', incident: acknowledged });
  t.match(ack, { title: 'ACKNOWLEDGED: Shop', kind: 'acknowledged' });
  t.ok(ack.facts.some((fact) => fact.value === '2026-01-31 12:00:00 UTC, by ann@example.com'));
  const again = incidentMessage({ ...input, event: 'reminder#3', eventMs: incident.started_at_ms + 90 * MINUTE });
  t.equal(again.title, 'STILL DOWN: Shop (for 1 h 30 min)');
  t.match(again.payload, { type: 'incident.reminder', data: { reminder: 3 } });

  const location = buildIncident('ws_a', {
    kind: 'location',
    monitor_id: null,
    monitor_name: null,
    resource: { type: 'location', id: 'sin', name: 'Singapore' },
    decision: decision([vote('sin', 'unknown')]),
  });
  t.equal(
    incidentMessage({ ...input, incident: location, incidentKind: KINDS.of(location), monitor: null }).title,
    'LOCATION SILENT: Singapore',
  );
  t.match(
    testMessage({ id: 't', channel: { id: 'chn_a', name: 'Team', type: 'slack' }, atMs: NOW, publicUrl: 'http://p' }),
    {
      title: 'TEST: Team',
      payload: { type: 'channel.test' },
    },
  );
  t.equal(utc(NOW), '2026-01-31 12:00:00 UTC');
  t.same([0, 999, 61_000, 3_600_000, 90_061_000].map(duration), ['0 s', '1 s', '1 min 1 s', '1 h', '1 d 1 h']);
});

t.test('property: a cut text fits and splits no character and no escape sequence', async () => {
  const isWellFormed = (text: string) => Buffer.from(text).toString() === text;
  const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, max) => {
      const whole = isWellFormed(text) ? text : 'x';
      const [plain, bytes, escaped] = [cut(whole, max), cutBytes(whole, max), cutEscaped(whole, max, escapeHtml)];
      const fits = plain.length <= max && Buffer.byteLength(bytes) <= max && escaped.length <= max;
      const sound = isWellFormed(plain) && isWellFormed(bytes) && !/&(?!amp;|lt;)/.test(escaped);
      const short = whole.length > max || plain === whole;
      return fits && sound && short;
    }),
  );
});
