import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BSON } from 'mongodb';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

/** Of the query: stored unsealed, and shown only to those who may change the monitor. */
const QUERY = 'qu3ry-t0ken';
const SECRETS = ['us3r-of-the-url', 'p4ss-of-the-url', 't0ken-in-a-header', 'b0dy-of-the-request'];

/** A site that is good until it sends every request in a circle, with the token of the request in the address. */
async function circlingSite() {
  const seen: { headers: IncomingMessage['headers']; body: string }[] = [];
  let circling = false;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ headers: request.headers, body });
    const location = `/?seen=${request.headers['x-token'] ?? ''}&page=${QUERY}`;
    response.writeHead(circling ? 307 : 200, circling ? { location } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    circle() {
      circling = true;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

t.test('secrets of a monitor reach its target, and nothing else that leaves or is stored', async (t) => {
  const mongo = await testDatabase();
  const site = await circlingSite();
  const receiver = await startReceiver();
  const product = await startProduct({
    PICKET_MONGODB_URI: mongo.uri,
    PICKET_LOCATIONS: 'fra,nyc',
    PICKET_LOG_LEVEL: 'trace',
  });
  t.teardown(async () => {
    await product.remove();
    await receiver.close();
    await site.close();
    await mongo.drop();
  });
  const { api } = product;
  await api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  const http = { method: 'POST', headers: { 'X-Token': SECRETS[2] ?? '' }, body: SECRETS[3] ?? '' };
  const url = `http://${SECRETS[0]}:${SECRETS[1]}@127.0.0.1:${site.port}/?page=${QUERY}`;
  const input = { name: 'Shop', type: 'http', url, interval_seconds: 10, retries: 0, locations: ['fra', 'nyc'], http };
  const created = await api('POST', '/v1/monitors', input, { 'idempotency-key': 'one' });
  const { id } = created.body.data;
  await waitFor('a check of each location', 60_000, () => site.seen.length >= 2);
  const authorization = `Basic ${Buffer.from(`${SECRETS[0]}:${SECRETS[1]}`).toString('base64')}`;
  for (const request of site.seen) {
    t.match(request, { headers: { 'x-token': SECRETS[2], authorization }, body: SECRETS[3] });
  }

  site.circle();
  await receiver.arrived(1, 120_000);
  await api('PATCH', `/v1/monitors/${id}`, { tags: ['changed'] });
  const { key } = (await api('POST', '/v1/api-keys', { name: 'reader', scopes: ['monitors:read'] })).body.data;
  const reader = { authorization: `Bearer ${key}` };
  const [incident] = (await api('GET', '/v1/alerts')).body.data;
  const answers = {
    notification: receiver.requests.map(({ body }) => body),
    incident: await api('GET', `/v1/alerts/${incident.id}`),
    results: await api('GET', `/v1/monitors/${id}/results`),
    timeline: await api('GET', '/v1/timeline'),
    audit: await api('GET', '/v1/audit-logs'),
    monitor: await api('GET', `/v1/monitors/${id}`, undefined, reader),
    list: await api('GET', '/v1/monitors', undefined, reader),
    export: await api('GET', '/v1/monitors/export'),
    metrics: await api('GET', '/metrics'),
    log: product.output(),
  };
  t.match(answers.incident.body.data, { monitor_id: id, message: /redirects/ });
  t.match(answers.monitor.body.data, { url: `http://***@127.0.0.1:${site.port}/?page=***`, http: { body: '***' } });
  for (const [name, answer] of Object.entries(answers)) {
    const text = JSON.stringify(answer);
    t.ok(text.length > 100, name);
    for (const secret of [...SECRETS, QUERY]) t.notOk(text.includes(secret), `${name}: ${secret}`);
  }
  const collections = await mongo.db.listCollections().toArray();
  for (const { name } of collections) {
    const documents = await mongo.db.collection(name).find().toArray();
    const bytes = documents.map((document) => Buffer.from(BSON.serialize(document)).toString('latin1')).join('\n');
    for (const secret of SECRETS) t.notOk(bytes.includes(secret), `the collection ${name}: ${secret}`);
  }
});
