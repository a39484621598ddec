import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
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

const LANGUAGES = [
  {
    ...{
      locale: 'en-GB',
      lang: 'en',
      acknowledge: 'Acknowledge',
      acknowledged: 'Reminders and escalation have stopped',
    },
    ...{ silence: 'Until resolved', silenced: 'Picket sends no more notifications' },
    ...{ resolved: 'This incident is resolved.', refused: 'This link does not work' },
  },
  {
    ...{
      locale: 'de-AT',
      lang: 'de',
      acknowledge: 'Bestätigen',
      acknowledged: 'Erinnerungen und Eskalation sind beendet',
    },
    ...{ silence: 'Bis er behoben ist', silenced: 'Picket sendet keine Benachrichtigungen mehr' },
    ...{ resolved: 'Dieser Vorfall ist behoben.', refused: 'Dieser Link funktioniert nicht' },
  },
];

for (const words of LANGUAGES) {
  t.test(`the pages of links break no rule of accessibility, in both themes: ${words.locale}`, (t) =>
    everyState(t, words),
  );
}

t.test('times are in the time zone of the viewer, and in UTC without scripts', async (t) => {
  const { app, channel, incident, tokenOf } = await startOnCall(t, mongo);
  const startedMs = Date.UTC(2026, 0, 31, 23, 30, 5);
  const { _id: id } = await incident({ started_at_ms: startedMs });
  const url = `${app.url}/on-call?t=${tokenOf({ incident: id, channel: await channel('On call') })}`;
  const firstTime = async (options: { javaScriptEnabled: boolean; locale: string }) => {
    const context = await browser.newContext({ ...options, timezoneId: 'Europe/Vienna' });
    const page = await context.newPage();
    await page.goto(url);
    const time = page.locator('.since time').first();
    const shown = { text: await time.textContent(), title: await time.getAttribute('title') };
    await context.close();
    return shown;
  };
  const utc = '2026-01-31 23:30:05 UTC';
  t.same(await firstTime({ javaScriptEnabled: false, locale: 'de-AT' }), { text: utc, title: null });
  t.match(await firstTime({ javaScriptEnabled: true, locale: 'de-AT' }), {
    text: /01\.02\.2026, 00:30:05 (MEZ|CET)/,
    title: utc,
  });
  t.match(await firstTime({ javaScriptEnabled: true, locale: 'en-GB' }), {
    text: /1 Feb 2026, 00:30:05 CET/,
    title: utc,
  });
});

async function everyState(t: Test, words: (typeof LANGUAGES)[number]): Promise<void> {
  const { app, channel, incident, tokenOf } = await startOnCall(t, mongo);
  const { page, examine, close, complaints } = await visitor(browser, { language: words.locale });
  t.teardown(close);
  await page.setViewportSize(PHONE);
  const votes = [vote('fra', 'down', 'connection_refused'), vote('nyc', 'up', null), vote('sin', 'unknown', null)];
  const onCall = await channel('On call <b>متجر');
  const open = async (over: Parameters<typeof incident>[0]) => {
    const { _id: id } = await incident({ monitor_name: 'Shop متجر', decision: decision(votes), ...over });
    const answer = await page.goto(`${app.url}/on-call?t=${tokenOf({ incident: id, channel: onCall })}`);
    t.ok(((await answer?.body())?.length ?? PAGE_BYTES_MAX) < PAGE_BYTES_MAX);
    t.notOk(await overflows(page), 'it fits a phone');
  };
  const examined = async (name: string) => t.same(await examine(`on-call-${words.lang}-${name}`), [], name);

  for (const severity of ['critical', 'warning', 'info'] as const) {
    await open({ severity, runbook_url: 'https://wiki.example.com/shop' });
    await page.getByRole('heading', { level: 1, name: 'Shop متجر' }).waitFor();
    await examined(severity);
  }
  await page.getByRole('button', { name: words.acknowledge }).click();
  await page.getByText(words.acknowledged).waitFor();
  await examined('acknowledged');
  await page.getByRole('button', { name: words.silence }).click();
  await page.getByText(words.silenced).waitFor();
  await examined('silenced');
  const resolved = { status: 'resolved', resolved_at_ms: Date.now(), resolution: 'recovered' } as const;
  await open(resolved);
  await page.getByText(words.resolved).waitFor();
  await examined('resolved');
  await page.goto(`${app.url}/on-call?t=unknown`);
  await page.getByRole('heading', { name: words.refused }).waitFor();
  await examined('refused');
  t.equal(await page.locator('html').getAttribute('lang'), words.lang);
  t.same(complaints, []);
}

async function overflows(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')) === true;
}
