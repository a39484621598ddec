import t from 'tap';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { decision, vote } from '../../helpers/notifications/build.js';
import { startOnCall } from '../../helpers/on-call/app.js';

const PHONE = { width: 360, height: 740 };
const PAGE_BYTES_MAX = 60_000;

const mongo = await testDatabase();
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await mongo.drop();
});

t.test('the pages of links break no rule of accessibility, in both themes', async (t) => {
  const { app, channel, incident, tokenOf } = await startOnCall(t, mongo);
  const { page, examine, close, complaints } = await visitor(browser);
  t.teardown(close);
  await page.setViewportSize(PHONE);
  const votes = [vote('fra', 'down', 'connection_refused'), vote('nyc', 'up', null), vote('sin', 'unknown', null)];
  const onCall = await channel('On call <b>متجر');
  const open = async (over: Parameters<typeof incident>[0]) => {
    const { _id: id } = await incident({ monitor_name: 'Shop متجر', decision: decision(votes), ...over });
    const answer = await page.goto(`${app.url}/on-call?t=${tokenOf({ incident: id, channel: onCall })}`);
    t.ok(((await answer?.body())?.length ?? PAGE_BYTES_MAX) < PAGE_BYTES_MAX);
  };
  const examined = async (name: string) => t.same(await examine(`on-call-${name}`), [], name);

  for (const severity of ['critical', 'warning', 'info'] as const) {
    await open({ severity, runbook_url: 'https://wiki.example.com/shop' });
    await page.getByRole('heading', { level: 1, name: 'Shop متجر' }).waitFor();
    await examined(severity);
  }
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('Reminders and escalation have stopped').waitFor();
  await examined('acknowledged');
  await page.getByRole('button', { name: 'Silence' }).click();
  await page.getByText('Picket sends no more notifications').waitFor();
  await examined('silenced');
  const resolved = { status: 'resolved', resolved_at_ms: Date.now(), resolution: 'recovered' } as const;
  await open(resolved);
  await page.getByText('This incident is resolved.').waitFor();
  await examined('resolved');
  await page.goto(`${app.url}/on-call?t=unknown`);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  await examined('refused');
  t.same(complaints, []);
});
