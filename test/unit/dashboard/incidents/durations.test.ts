import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

const { lastedOf } = await browserModule<{
  lastedOf(incident: { started_at: string; resolved_at: string | null }): string | null;
}>('parts/incidents/lasted.ts');
const { between } = await browserModule<{ between(from: string, to: string): string }>('texts/format.ts');

t.test('how long an incident lasted agrees with its times and with the other durations of its page', (t) => {
  const [started_at, resolved_at] = ['2026-01-31T12:15:47.900Z', '2026-01-31T12:16:40.100Z'];
  t.equal(lastedOf({ started_at, resolved_at }), '53 s', 'from 12:15:47 to 12:16:40, although only 52.2 s passed');
  t.equal(lastedOf({ started_at, resolved_at }), between(started_at, resolved_at));
  t.equal(lastedOf({ started_at, resolved_at: '2026-01-31T12:17:27.000Z' }), '1 min 40 s', 'not only the minutes');
  t.equal(lastedOf({ started_at, resolved_at: null }), null, 'it lasts');
  t.end();
});
