import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;

const world = await startWorkspaceInBrowser();
const receiver = await startReceiver();
t.teardown(async () => {
  await receiver.close();
  await world.close();
});
const violations: string[] = [];
const complaints: string[] = [];

t.test('a webhook is added, tested, changed, turned off and deleted', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto('/settings/channels');
  await see('No channel: an incident notifies nobody.');
  await examined('channels-empty');
  await page.getByRole('link', { name: 'Add a channel' }).click();
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('URL').fill('not a url');
  await press('Add channel');
  await page.getByRole('alert').waitFor();
  t.equal(await page.getByLabel('URL').getAttribute('aria-invalid'), 'true', 'the field is marked');
  t.equal(await page.getByLabel('URL').inputValue(), 'not a url', 'what was typed is kept');
  await examined('channel-new');
  await page.getByLabel('URL').fill(receiver.url);
  await press('Add channel');
  await see('The channel is saved and on.');
  const secret = await page.getByLabel('Signing secret').inputValue();
  t.match(secret, /^whsec_/, 'the secret is shown once');
  await page.getByRole('button', { name: /^Send test/ }).click();
  await see(/Webhook accepted the test message .* \(status 200\)/);
  t.match(receiver.bodies.at(-1), /channel\.test/);
  await examined('channel-created');

  await page.getByRole('link', { name: 'All channels' }).click();
  await see('1 channel, all on.');
  receiver.answer(404, 'no such hook');
  await page.getByRole('button', { name: /^Send test/ }).click();
  await see(/The test to Webhook failed: HTTP 404: no such hook\. Check that the webhook still exists/);
  await examined('channels');
  await page.getByRole('link', { name: HOSTILE }).click();
  await page.getByLabel('Remind every (minutes)').fill('30');
  await press('Save');
  await see(/is saved\./);
  t.same(await page.getByText(secret).count(), 0, 'the secret is not shown again');
  const { body } = await world.plane.api('GET', '/v1/channels');
  t.match(body.data, [{ name: HOSTILE, repeat_minutes: 30, config: { url: receiver.url } }]);
  await press('Turn off');
  await see(/It is off and gets no notifications: disabled manually\./);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await see('Webhook. It is on.');
  await examined('channel');

  await press('Revoke links');
  await see('No link that this channel has received works any more.');
  await press('Revoke links');
  await see('The links that this channel has received until now do not work any more.');

  for (const name of ['Shop', 'Blog']) {
    const monitor = { name, type: 'tcp', url: '127.0.0.1:9', channels: name === 'Shop' ? [body.data[0].id] : [] };
    t.equal((await world.plane.api('POST', '/v1/monitors', monitor)).status, 201);
  }
  await press('Delete');
  await see('1 monitor would then notify nobody:');
  await page.getByRole('dialog').getByText('Shop', { exact: true }).waitFor();
  await examined('channel-delete');
  await press('Delete');
  await see('No channel: an incident notifies nobody.');
  complaints.push(...ann.complaints);
});

t.test('secrets are write-only: an empty field keeps them', async (t) => {
  const ann = await world.openAsOwner({ language: 'de-DE' });
  const { page, see, press, goto } = ann;
  const url = `${receiver.url}/services/T0/B0/secret-of-slack`;
  const created = await world.plane.api('POST', '/v1/channels', { type: 'slack', name: 'Slack', config: { url } });
  await goto(`/channels/${created.body.data.id}`);
  await page.waitForURL(/\/settings\/channels\//);
  const field = page.getByLabel('Webhook-URL');
  await field.waitFor();
  t.equal(await field.inputValue(), '', 'the stored URL is not shown');
  await page.getByLabel('Name').fill('Bereitschaft');
  await press('Speichern');
  await see('Bereitschaft ist gespeichert.');
  receiver.answer(200, 'ok');
  await page.getByRole('button', { name: /^Test senden/ }).click();
  await see(/Slack hat die Testnachricht nach .* angenommen/);
  t.equal(receiver.paths.at(-1), '/services/T0/B0/secret-of-slack', 'the URL is the one from before');
  violations.push(...(await ann.examined('channel-german')));
  complaints.push(...ann.complaints);
});

t.test('a viewer sees channels without their secrets, and no buttons that change them', async (t) => {
  const { page, see, goto, complaints: heard } = await world.openAs('viewer');
  await goto('/settings/channels');
  await page.getByRole('link', { name: 'Bereitschaft' }).waitFor();
  t.equal(await page.getByRole('button', { name: /Send test/ }).count(), 0);
  t.equal(await page.getByRole('link', { name: 'Add a channel' }).count(), 0);
  await page.getByRole('link', { name: 'Bereitschaft' }).click();
  await see('Slack. It is on.');
  for (const name of ['Send test', 'Turn off', 'Delete', 'Save']) {
    t.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  t.equal(await page.getByText('secret-of-slack').count(), 0);
  complaints.push(...heard);
});

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});

/** A server that receives notifications, and answers them as the test says. */
async function startReceiver() {
  let reply: [number, string] = [200, 'ok'];
  const bodies: string[] = [];
  const paths: string[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    paths.push(request.url ?? '');
    response.writeHead(reply[0]).end(reply[1]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...{ bodies, paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    answer(status: number, text: string) {
      reply = [status, text];
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
