import t from 'tap';
import { NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';

const app = await startReportsApp();
t.teardown(() => app.stop());

t.test('a wrong period, time zone, section or colour is refused with the field', async (t) => {
  const period = (from: string, to: string) => ({ period: { from, to } });
  const cases: [Record<string, unknown>, string][] = [
    [{ title: ' ' }, '/title'],
    [{ client_name: 'a\u0000b' }, '/client_name'],
    [period('2031-01-20T00:00:00Z', '2031-01-10T00:00:00Z'), '/period/from'],
    [period('2031-02-01T00:00:00Z', '2031-02-10T00:00:00Z'), '/period/from'],
    [period('2031-01-10T00:00:00Z', '2031-01-10T00:30:00Z'), '/period'],
    [period('2029-01-10T00:00:00Z', '2031-01-10T00:00:00Z'), '/period'],
    [period('yesterday', '2031-01-10T00:00:00Z'), '/period/from'],
    [period('2030-12-32', '2031-01-10'), '/period/from'],
    [period('2031-01-01', '2031-01'), '/period/to'],
    [period('2031-01-11', '2031-01-09'), '/period/from'],
    [{ time_zone: 'Europe/Atlantis' }, '/time_zone'],
    [{ time_zone: '+02:00' }, '/time_zone'],
    [{ sections: { weather: true } }, '/sections/weather'],
    [{ branding: { color: 'red' } }, '/branding/color'],
    [{ colour: '#000000' }, '/colour'],
  ];
  for (const [input, path] of cases) {
    t.match(await app.create(input), { status: 422, body: { errors: [{ path }] } }, JSON.stringify(input));
  }
  t.same((await app.request('GET', PATH)).body.data, [], 'nothing was created');
});

t.test('both ends of a period are full hours, and an end within the current hour stays', async (t) => {
  const of = async (from: string, to: string) => (await app.create({ period: { from, to } })).body.data.period;
  t.same(await of('2031-01-10T00:30:00+05:30', '2031-01-12T10:59:59Z'), {
    ...{ from: '2031-01-09T19:00:00.000Z', to: '2031-01-12T10:00:00.000Z' },
  });
  const now = new Date(NOW).toISOString();
  t.equal((await of('2031-01-10T00:00:00Z', now)).to, now);
  t.equal((await of('2031-01-10T00:00:00Z', '2031-06-01T00:00:00Z')).to, now, 'the future has no data');
});

t.test(
  'days are those of the time zone, also of one that changes its clocks, and the last one is part of the period',
  async (t) => {
    const of = async (time_zone: string, from: string, to: string) =>
      (await app.create({ time_zone, period: { from, to } })).body.data.period;
    t.same(await of('Pacific/Auckland', '2030-12-01', '2030-12-31'), {
      ...{ from: '2030-11-30T11:00:00.000Z', to: '2030-12-31T11:00:00.000Z' },
    });
    t.same(await of('America/New_York', '2030-11-03', '2030-11-03'), {
      ...{ from: '2030-11-03T04:00:00.000Z', to: '2030-11-04T05:00:00.000Z' },
    });
    t.equal((await of('UTC', '2031-01-30', '2031-01-31')).to, new Date(NOW).toISOString(), 'today has not ended');
  },
);

t.test('a plan has so many reports a month, and deleting one makes no room', async (t) => {
  const free = await startReportsApp({ plan: 'Free', beside: app });
  t.teardown(() => free.stop());
  const { id } = await free.made();
  t.match(await free.create(), {
    status: 402,
    body: { code: 'plan_limit', detail: /Free plan allows 1 report a month.*Pro plan allows 50/ },
  });
  t.equal((await free.request('DELETE', `${PATH}/${id}`)).status, 204);
  t.equal((await free.create()).status, 402);
  await free.clock.advance(86_400_000);
  t.equal((await free.create()).status, 202, 'the next month has its own');
});
