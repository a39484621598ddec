import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { nginxSite } from '../../helpers/machine/nginx.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startProduct } from '../../helpers/processes/product.js';
import { replayAlerts } from '../../helpers/processes/replayed-alerts.js';
import { waitFor } from '../../helpers/wait.js';

const NOTICED_MS_MAX = 90_000;

t.test('the example of the README: a site goes down and comes up again', async (t) => {
  const nginx = await nginxSite('<h1>Welcome to the shop</h1>');
  await nginx.start();
  const receiver = await startReceiver();
  const mailbox = await startMailbox();
  const product = await startProduct({ PICKET_SMTP_URL: mailbox.url });
  t.teardown(async () => {
    await product.remove();
    await receiver.close();
    await mailbox.close();
    await nginx.remove();
  });
  const hook = await product.api('POST', '/v1/channels', {
    type: 'webhook',
    name: 'hook',
    config: { url: receiver.url },
  });
  t.equal(hook.status, 201);
  const mail = await product.api('POST', '/v1/channels', {
    type: 'email',
    name: 'mail',
    config: { to: ['ops@example.com'] },
  });
  t.equal(mail.status, 201);
  const created = await product.api('POST', '/v1/monitors', {
    name: 'Shop',
    type: 'http',
    url: nginx.url,
    interval_seconds: 10,
    http: { keyword: 'Welcome to the shop' },
  });
  t.equal(created.status, 201);
  const id = created.body.data.id;
  t.equal(created.headers.get('location'), `/v1/monitors/${id}`);
  const monitor = async () => (await product.api('GET', `/v1/monitors/${id}`)).body.data;
  await waitFor('every location to be up', NOTICED_MS_MAX, async () =>
    (await monitor()).location_status.every((location: { status: string }) => location.status === 'up'),
  );

  await nginx.stop();
  const [opened] = await receiver.arrived(1, NOTICED_MS_MAX);
  const verified = new Webhook(hook.body.data.secret).verify(opened?.body ?? '', opened?.headers ?? {});
  t.match(verified, {
    type: 'incident.opened',
    data: { incident: { monitor_name: 'Shop', status: 'firing', severity: 'critical' } },
  });
  const [letter] = await mailbox.arrived(1, NOTICED_MS_MAX);
  t.match(letter?.headers['subject'], /Shop/);
  t.match(letter?.parts['text/plain'], /connection refused/);
  t.equal((await monitor()).status, 'down');

  const [incident] = (await product.api('GET', '/v1/alerts?status=firing')).body.data;
  const detail = (await product.api('GET', `/v1/alerts/${incident.id}`)).body.data;
  t.equal(detail.decision.outcome, 'down');
  t.equal(detail.decision.votes.length, 5, 'the decision has every vote');
  await waitFor('both notifications in the incident', NOTICED_MS_MAX, async () => {
    const { notifications_sent } = (await product.api('GET', `/v1/alerts/${incident.id}`)).body.data;
    return notifications_sent.filter((sent: { status: string }) => sent.status === 'sent').length === 2;
  });

  await nginx.start();
  await receiver.arrived(2, NOTICED_MS_MAX);
  t.equal(receiver.requests[1]?.json.type, 'incident.resolved');
  t.equal(receiver.requests[1]?.json.data.incident.id, incident.id);
  await mailbox.arrived(2, NOTICED_MS_MAX);
  const resolved = (await product.api('GET', `/v1/alerts/${incident.id}`)).body.data;
  t.equal(resolved.status, 'resolved');
  t.ok(resolved.duration_seconds > 0);
  t.equal(await replayAlerts(product), 2, 'the decision and the recovery replay from their records');
  t.equal((await monitor()).status, 'up');
  await waitFor('the outage in the uptime', NOTICED_MS_MAX, async () => (await monitor()).uptime_24h < 100);
  t.ok((await monitor()).coverage_24h < 1, 'the coverage is the observed part of the day');
  t.equal(receiver.requests.length, 2, 'one webhook for each event');
  t.equal(mailbox.mails.length, 2, 'one e-mail for each event');
});
