import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const NAME = 'example.com';

async function setUp(t: Test, days: number) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  app.rdap.domains.set(NAME, { expires: new Date(app.clock.now() + days * DAY + HOUR).toISOString() });
  const id = await app.monitor(`https://${NAME}/`);
  await app.run();
  const pauseAndResume = async () => {
    for (const paused_at_ms of [app.clock.now(), null]) {
      await app.change(id, { paused_at_ms });
      app.clock.jump(HOUR);
      await app.run();
      await app.sweep();
    }
    return (await app.incidents()).map(({ subject, resolution }) => [subject, resolution]);
  };
  return { app, pauseAndResume };
}

t.test('a stage that a person accepted stays so after a pause of the monitor', async (t) => {
  for (const days of [2, 9]) {
    const { app, pauseAndResume } = await setUp(t, days);
    const [incident] = await app.incidents();
    t.equal((await app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
    t.match(await pauseAndResume(), [[/^domain:example\.com:/, 'manual']]);
    t.equal((await app.incidents()).length, 1);
  }
});

t.test('a pause of the monitor does not open the incident of the same stage again, but that of the next', async (t) => {
  const { app, pauseAndResume } = await setUp(t, 8);
  t.strictSame(await pauseAndResume(), [['domain:example.com:14', 'deleted']]);
  app.clock.jump(DAY);
  await app.run();
  await app.clock.advance(60_000);
  await app.sweep();
  t.match(await app.incidents(), [{ status: 'resolved' }, { status: 'firing', subject: 'domain:example.com:7' }]);
});

t.test('the last stage, which none follows, is open again after a pause', async (t) => {
  const { pauseAndResume } = await setUp(t, 2);
  t.strictSame(await pauseAndResume(), [
    ['domain:example.com:3', 'deleted'],
    ['domain:example.com:3', null],
  ]);
});
