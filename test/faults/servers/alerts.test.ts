import t from 'tap';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

/** A control plane waits for a minute after its start before it marks servers as offline. */
const SILENCE_MS_MAX = 100_000;

t.test('a metric rule and an offline rule of a server fire and resolve', async (t) => {
  const receiver = await startReceiver();
  const mailbox = await startMailbox();
  const product = await startProduct({
    PICKET_LOCATIONS: '',
    PICKET_LOCAL_AGENT: '1',
    PICKET_AGENT_INTERVAL_SECONDS: '2',
    PICKET_SMTP_URL: mailbox.url,
  });
  t.teardown(async () => {
    await product.remove();
    await receiver.close();
    await mailbox.close();
  });
  await product.api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  await product.api('POST', '/v1/channels', { type: 'email', name: 'mail', config: { to: ['ops@example.com'] } });
  const [server] = await waitFor('the agent', 30_000, async () => {
    const { body } = await product.api('GET', '/v1/servers?status=online');
    return body.data.length === 1 ? body.data : null;
  });
  const startedMs = Date.now();
  const made = await product.api('POST', '/v1/alert-rules', {
    name: 'Runs at all',
    metric: 'processes',
    operator: '>=',
    threshold: 1,
    for_seconds: 6,
    severity: 'warning',
    server_ids: [server.id],
  });
  t.equal(made.status, 201);
  const offline = await product.api('POST', '/v1/alert-rules', { name: 'Gone', type: 'server_offline' });
  t.equal(offline.status, 201);

  const [opened] = await receiver.arrived(1, 30_000);
  t.ok(Date.now() - startedMs > 4_000, 'not before for_seconds');
  t.match(opened?.json, {
    type: 'incident.opened',
    data: {
      incident: {
        status: 'firing',
        severity: 'warning',
        monitor_id: null,
        resource: { type: 'server', id: server.id, name: server.name },
      },
    },
  });
  const [letter] = await mailbox.arrived(1, 5_000);
  t.match(letter?.headers['subject'], new RegExp(server.name));
  const id = opened?.json.data.incident.id;
  const { decision, message } = (await product.api('GET', `/v1/alerts/${id}`)).body.data;
  t.match(message, /processes/i, 'the message names the metric');
  t.match(decision, { rule: { name: 'Runs at all', metric: 'processes', threshold: 1, for_seconds: 6 } });
  t.ok(decision.samples.length >= 3, 'the decision has the samples');
  await product.api('DELETE', `/v1/alert-rules/${made.body.data.id}`);
  t.match((await receiver.arrived(2, 10_000))[1]?.json, { type: 'incident.resolved', data: { incident: { id } } });

  const agent = await product.pid('agent');
  process.kill(agent, 'SIGSTOP');
  const stoppedMs = Date.now();
  t.teardown(() => {
    try {
      process.kill(agent, 'SIGCONT');
    } catch {
      // It was restarted in the meantime.
    }
  });
  const gone = (await receiver.arrived(3, SILENCE_MS_MAX))[2];
  t.ok(Date.now() - stoppedMs > 5_000, 'not before three samples are missing');
  t.match(gone?.json.data.incident, { status: 'firing', severity: 'critical', resource: { id: server.id } });
  t.equal((await product.api('GET', `/v1/servers/${server.id}`)).body.data.status, 'offline');
  process.kill(agent, 'SIGCONT');
  const back = (await receiver.arrived(4, 60_000))[3];
  t.match(back?.json, { type: 'incident.resolved', data: { incident: { id: gone?.json.data.incident.id } } });
  t.equal((await product.api('GET', `/v1/servers/${server.id}`)).body.data.status, 'online');
  const timeline = await product.api('GET', `/v1/timeline?resource_id=${server.id}`);
  const types = timeline.body.data.map((line: { type: string }) => line.type);
  for (const type of ['server.status_changed', 'incident.opened', 'incident.resolved'])
    t.ok(types.includes(type), type);
  t.equal(receiver.requests.length, 4, 'there are no other notifications');
});
