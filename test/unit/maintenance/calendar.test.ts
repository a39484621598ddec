import t from 'tap';
import { calendarText } from '../../../control-plane/maintenance/calendar.js';
import { parsedCalendar } from '../../helpers/calendar/parsed.js';

const AT = Date.UTC(2031, 0, 31, 12, 34, 56);
const event = (summary: string, uid = 'one@picket') => ({
  uid,
  startsMs: AT,
  endsMs: AT + 3_600_000,
  summary,
  description: null,
  url: null,
  changedMs: AT,
  sequence: 1,
});

t.test('texts of any kind are read as they were written, in lines of 75 octets', async (t) => {
  const texts = [
    'Upgrade; of A, B and C\\D: all "of" them',
    'two\nlines',
    'x'.repeat(500),
    'Größe '.repeat(40),
    '漢字'.repeat(60),
    '\u{1f9ff}'.repeat(80),
    `${'a'.repeat(66)}é`,
    `${'a'.repeat(67)}é`,
    '\\n is no line',
  ];
  const { calendar, events } = parsedCalendar(
    calendarText({ name: 'A, B; C', events: texts.map((text, index) => event(text, `${index}@picket`)) }),
  );
  t.equal(calendar['X-WR-CALNAME'], 'A, B; C');
  t.same(
    events.map(({ SUMMARY }) => SUMMARY),
    texts,
  );
  t.match(events[0], { DTSTART: '2031-01-31T12:34:56+00:00', DTEND: '2031-01-31T13:34:56+00:00', SEQUENCE: '1' });
});

t.test('a text can add no line', async (t) => {
  const { events } = parsedCalendar(
    calendarText({ name: 'x', events: [event('a\r\nEND:VEVENT\rBEGIN:VEVENT\u0000\u0007\u0085b')] }),
  );
  t.equal(events.length, 1);
  t.equal(events[0]?.SUMMARY, 'a\nEND:VEVENT\nBEGIN:VEVENT   b');
});
