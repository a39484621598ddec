import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface PeriodModule {
  periodOf(period: string, dates: object, at: { now: Date; timeZone: string }): object | undefined;
}

const DATES = { from: '2026-01-31', to: '' };

t.test('periods are days on the clocks of the client', async (t) => {
  const { periodOf } = await browserModule<PeriodModule>('parts/reports/period.ts');
  const now = new Date('2026-03-31T22:30:00Z');
  const of = (period: string, timeZone: string) => periodOf(period, DATES, { now, timeZone });
  t.same(of('lastMonth', 'Europe/Berlin'), { from: '2026-03-01', to: '2026-03-31' }, 'April has begun there');
  t.same(of('lastMonth', 'America/New_York'), { from: '2026-02-01', to: '2026-02-28' });
  t.same(of('thisMonth', 'Asia/Tokyo'), { from: '2026-04-01', to: '2026-04-01' });
  t.same(of('week', 'UTC'), { from: '2026-03-24', to: '2026-03-31' });
  t.equal(of('days30', 'UTC'), undefined, 'the default of the API');
  t.same(of('dates', 'UTC'), DATES, 'the API says what is wrong with them');
  t.same(of('thisMonth', 'Europe/Atlantis'), { from: '2026-03-01', to: '2026-03-31' }, 'the API refuses the time zone');
});
