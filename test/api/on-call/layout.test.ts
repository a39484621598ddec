import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { decision, vote } from '../../helpers/notifications/build.js';
import { startOnCall } from '../../helpers/on-call/app.js';

const PHONE = { width: 360, height: 740 };
/** https://www.w3.org/WAI/WCAG22/Understanding/target-size-enhanced.html */
const TARGET_PX_MIN = 44;
const LONG = `${'W'.repeat(180)} <b>\u202eمتجر`;

const mongo = await testDatabase();
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await mongo.drop();
});

/** Starts a reverse proxy that removes the path of the public URL, as nginx does. */
async function startProxy(port: number, path: string): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    const to = { host: '127.0.0.1', port, method: req.method, headers: req.headers };
    req.pipe(
      forward({ ...to, path: (req.url ?? '').replace(path, '') }, (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(res);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}${path}`, close: () => server.close() };
}

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`the page fits a phone without scripts, and acknowledges with one tap: ${colorScheme}`, async (t) => {
    const { app, channel, incident, stored, tokenOf } = await startOnCall(t, mongo);
    const proxy = await startProxy(app.port, '/tools/picket');
    t.teardown(() => proxy.close());
    const votes = ['fra', 'nyc', LONG].map((location) => vote(location, 'down', 'connection_refused'));
    const { _id: id } = await incident({ monitor_name: LONG, message: LONG.repeat(3), decision: decision(votes) });
    const token = tokenOf({ incident: id, channel: await channel(LONG.slice(0, 180)) });
    const context = await browser.newContext({
      viewport: PHONE,
      colorScheme,
      javaScriptEnabled: false,
      isMobile: true,
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const referrers: (string | undefined)[] = [];
    page.on('request', (request) => referrers.push(request.headers()['referer']));
    await page.goto(`${proxy.url}/on-call?t=${token}`);

    const { width } = (await page.locator('main').boundingBox()) ?? { width: 0 };
    t.equal(width, PHONE.width);
    for (const one of await page.locator('main *').all()) {
      const box = await one.boundingBox();
      if (box !== null) t.ok(box.x >= 0 && box.x + box.width <= PHONE.width + 0.5, JSON.stringify(box));
    }
    for (const one of await page.locator('button, .links a').all()) {
      t.ok(((await one.boundingBox())?.height ?? 0) >= TARGET_PX_MIN);
    }
    const acknowledge = page.getByRole('button', { name: 'Acknowledge' });
    const box = await page.getByRole('heading', { level: 1 }).boundingBox();
    t.ok((box?.y ?? PHONE.height) < PHONE.height, 'the name is on the first screen');
    await acknowledge.click();
    await page.getByText('Reminders and escalation have stopped').waitFor();
    t.equal(page.url(), `${proxy.url}/on-call?t=${token}`, 'below the path of the proxy');
    t.equal(await acknowledge.count(), 0);
    t.equal((await stored(id)).acknowledged_by?.startsWith('a link in the channel'), true);
    await page.reload();
    t.equal((await stored(id)).events.filter(({ type }) => type === 'acknowledged').length, 1);
    t.same(
      referrers.filter((referrer) => referrer !== undefined),
      [],
    );
  });
}
