import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { freePort } from '../../../helpers/machine/ports.js';

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
  await page.getByRole('link', { name: 'Add channel' }).click();
  const type = () => page.getByLabel('Type').inputValue();
  await comesTo(t, type, 'webhook', 'e-mail is not proposed without a mail server');
  await page.getByLabel('Type').selectOption({ label: 'E-mail (no mail server)' });
  await see('This installation cannot send e-mail: it has no mail server.');
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('URL').fill('not a url');
  await press('Add channel');
  await page.getByRole('alert').waitFor();
  const url = page.getByLabel('URL');
  const name = page.getByLabel('Name');
  await comesTo(t, () => url.getAttribute('aria-invalid'), 'true', 'the field is marked');
  await comesTo(t, () => url.inputValue(), 'not a url', 'what was typed is kept');
  await examined('channel-new');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Incidents/ })
    .first()
    .click();
  await page.waitForURL(/\/incidents/);
  await page.goBack();
  await comesTo(t, () => url.inputValue(), 'not a url', 'what was typed is kept while another page is open');
  await comesTo(t, () => name.inputValue(), HOSTILE);
  await page.getByLabel('URL').fill(receiver.url);
  await page.route('**/v1/channels', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await press('Add channel');
  await see(
    /^Picket did not answer, so this is probably not done\. Once it answers again, check whether it was done\./,
  );
  const look = page.getByRole('link', { name: 'Look in a new tab' });
  t.match(await look.getAttribute('href'), /\/settings\/channels$/, 'a form does not show whether it was done');
  t.equal(await look.getAttribute('target'), '_blank', 'what was typed stays');
  await examined('channel-unanswered');
  await page.unrouteAll({ behavior: 'wait' });
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
  await page.getByRole('link', { name: 'Add channel' }).click();
  await comesTo(t, () => name.inputValue(), '', 'the next one begins anew');
  await page.getByLabel('Name').fill('Not wanted');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await see('1 channel, all on.');
  await page.getByRole('link', { name: 'Add channel' }).click();
  await comesTo(t, () => name.inputValue(), '', 'whoever cancels does not want it');
  await page.goBack();
  receiver.answer(404, 'no such hook');
  await page.getByRole('button', { name: /^Send test/ }).click();
  await see(/The test to Webhook failed: HTTP 404: no such hook\. Check that the webhook still exists/);
  await see('The last message of 1 channel was not accepted.');
  await page.getByText('fails', { exact: true }).waitFor();
  await examined('channels');
  await page.getByRole('link', { name: HOSTILE }).click();
  await see('But its last message was not accepted: send a test.');
  await page.getByLabel('Remind every (minutes)').fill('30');
  await press('Save');
  await see(/is saved\./);
  await comesTo(t, () => page.getByText(secret).count(), 0, 'the secret is not shown again');
  const { body } = await world.plane.api('GET', '/v1/channels');
  t.match(body.data, [{ name: HOSTILE, repeat_minutes: 30, config: { url: receiver.url } }]);
  await press('Turn off');
  await see(/It is off and gets no notifications: turned off by a person\./);
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
  await see('Deleting it also removes it from all of them.');
  await press('Delete and remove from all');
  await see('No channel: an incident notifies nobody.');

  const monitors = await world.plane.api('GET', '/v1/monitors');
  const shop = monitors.body.data.find(({ name }: { name: string }) => name === 'Shop');
  t.same(shop.channels, []);
  // Earlier versions left the deleted channel in the monitor.
  const stored = world.mongo.db.collection<{ _id: string }>('monitors');
  await stored.updateOne({ _id: shop.id }, { $set: { channels: [body.data[0].id] } });
  await goto(`/monitors/${shop.id}/edit`);
  await see('A deleted channel notifies nobody. Remove it before you save other channels.');
  await goto(`/monitors/${shop.id}`);
  await see('This monitor names 1 channel that was deleted. It notifies nobody.');
  await see('1 deleted channel');
  await examined('monitor-deleted-channel');
  await press('Remove the deleted channel');
  await see('Shop does not name deleted channels any more');
  t.same((await world.plane.api('GET', `/v1/monitors/${shop.id}`)).body.data.channels, []);
  await comesTo(t, () => page.getByText('This monitor names 1 channel').count(), 0);
  complaints.push(...ann.complaints);
});

t.test('secrets are write-only: an empty field keeps them', async (t) => {
  const ann = await world.openAsOwner({ language: 'de-DE' });
  const { page, see, press, goto } = ann;
  const url = `${receiver.url}/services/T0/B0/secret-of-slack`;
  const created = await world.plane.api('POST', '/v1/channels', { type: 'slack', name: 'Slack', config: { url } });
  await goto(`/channels/${created.body.data.id}`);
  await page.waitForURL(/\/settings\/channels\//);
  await see('Noch keine Benachrichtigung.');
  const field = page.getByLabel('Webhook-URL');
  await field.waitFor();
  await comesTo(t, () => field.inputValue(), '', 'the stored URL is not shown');
  await page.getByLabel('Name').fill('Bereitschaft');
  await press('Speichern');
  await see('Bereitschaft ist gespeichert.');
  receiver.answer(200, 'ok');
  await page.getByRole('button', { name: /^Test senden/ }).click();
  await see(/Slack hat die Testnachricht nach .* angenommen/);
  t.equal(receiver.paths.at(-1), '/services/T0/B0/secret-of-slack', 'the URL is the one from before');
  const nobody = `127.0.0.1:${await freePort()}`;
  const elsewhere = { config: { url: `http://${nobody}/services/T0` } };
  t.equal((await world.plane.api('PATCH', `/v1/channels/${created.body.data.id}`, elsewhere)).status, 200);
  await page.getByRole('button', { name: /^Test senden/ }).click();
  await see(`Der Test an Slack ist fehlgeschlagen: ${nobody} hat die Verbindung abgelehnt.`);
  const failed = { at_ms: Date.now(), status: 'failed', response_status: 503, error: 'HTTP 503: full' };
  await world.mongo.db
    .collection<{ _id: string }>('channels')
    .updateOne({ _id: created.body.data.id }, { $set: { last_delivery: failed } });
  await page.reload();
  await see(/^Der letzte Versuch zu benachrichtigen ist .* fehlgeschlagen: HTTP 503: full$/);
  violations.push(...(await ann.examined('channel-german')));
  complaints.push(...ann.complaints);
});

t.test('a viewer sees channels without their secrets, and no buttons that change them', async (t) => {
  const { page, see, goto, complaints: heard } = await world.openAs('viewer');
  await goto('/settings/channels');
  await page.getByRole('link', { name: 'Bereitschaft' }).waitFor();
  const last = page.getByText(/^The last attempt to notify failed .*: HTTP 503: full$/);
  await comesTo(t, () => last.locator('time').count(), 1, 'the list says when and why the last notification failed');
  t.equal(await page.getByRole('button', { name: /Send test/ }).count(), 0);
  t.equal(await page.getByRole('link', { name: 'Add channel' }).count(), 0);
  await page.getByRole('link', { name: 'Bereitschaft' }).click();
  await see('Slack. It is on.');
  for (const name of ['Send test', 'Turn off', 'Delete', 'Save']) {
    t.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  t.equal(await page.getByText('secret-of-slack').count(), 0);
  await goto('/settings/channels/new');
  await see('Your role in this workspace does not include this.');
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
