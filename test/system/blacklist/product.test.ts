import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startRbldnsd } from '../../helpers/machine/rbldnsd.js';
import { startResolver, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const PATH = '/api/v1/blacklist';
const HOSTS = new Map([['mail.shop.test', ['198.100.144.8', '198.100.144.9']]]);

/** Debian's rbldnsd with all lists, behind a resolver that also knows the domains of customers. */
async function startLists() {
  const lists = await startRbldnsd();
  const slow = { ms: 0 };
  const resolver = await startResolver({ hosts: HOSTS, lists, slow });
  return {
    ...lists,
    resolver,
    slow,
    async stop() {
      await resolver.stop();
      await lists.stop();
    },
  };
}

t.test('an instant check, an alert for a listing, and its end after the delisting', async (t) => {
  const mongo = await testDatabase();
  const lists = await startLists();
  const receiver = await startReceiver();
  const product = await startProduct({
    PICKET_MONGODB_URI: mongo.uri,
    PICKET_LOCATIONS: '',
    PICKET_DNS_SERVERS: lists.resolver.server,
  });
  t.teardown(async () => {
    await product.remove();
    await receiver.close();
    await lists.stop();
    await mongo.drop();
  });
  const checkSoon = (id: string) =>
    mongo.db.collection<{ _id: string }>('blacklist_monitors').updateOne({ _id: id }, { $set: { next_at_ms: 0 } });

  const { body: providers } = await product.api('GET', `${PATH}/providers`, undefined, { authorization: '' });
  t.equal(providers.data.length, 12, 'without a key');
  t.same(
    ['ip', 'domain'].map((type) => providers.data.filter((row: { type: string }) => row.type === type).length),
    [10, 2],
  );

  lists.list('zen.spamhaus.org', '198.100.144.7', '127.0.0.10', 'https://www.spamhaus.org/query/ip/$');
  lists.list('bl.spamcop.net', '198.100.144.8', '127.0.0.2', 'Blocked, see $');
  lists.list('dbl.spamhaus.org', 'shop.test', '127.0.1.4');
  lists.refuse('b.barracudacentral.org');
  lists.wildcard('psbl.surriel.com');
  await lists.reloaded();

  const clean = await product.api('POST', `${PATH}/instant-check`, { target: '198.100.144.1' });
  t.equal(clean.status, 200);
  t.match(clean.body.data, { score: 100, rating: 'excellent', listed: 0, clean: 8, responding: 8, asked: 10 });
  const statuses = Object.fromEntries(
    clean.body.data.results.map((row: { provider: string; status: string }) => [row.provider, row.status]),
  );
  t.match(
    statuses,
    { barracuda: 'blocked', psbl: 'invalid', spamcop: 'clean' },
    'a refusal and a list that lists everything are no listings',
  );

  const domain = await product.api('POST', `${PATH}/instant-check`, { target: 'Mail.Shop.test.' });
  t.match(domain.body.data, { target: 'mail.shop.test', type: 'domain', listed: 2, responding: 10, score: 80 });
  const spamcop = domain.body.data.results.find((row: { provider: string }) => row.provider === 'spamcop');
  t.match(spamcop, {
    status: 'listed',
    reason: /Blocked, see 198\.100\.144\.8/,
    addresses: [
      { address: '198.100.144.8', status: 'listed' },
      { address: '198.100.144.9', status: 'clean' },
    ],
  });

  await product.api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  const policy = await product.api('POST', `${PATH}/monitors`, { target: '198.100.144.7', frequency: 'hourly' });
  const made = await product.api('POST', `${PATH}/monitors`, { target: 'mail.shop.test', frequency: 'hourly' });
  t.equal(made.status, 201);
  const notifications = (await receiver.arrived(2, 60_000)).map(({ json }) => json);
  t.same(
    notifications.map(({ type }) => type),
    ['incident.opened', 'incident.opened'],
  );
  const messages = notifications.map(({ data }) => data.incident.message).sort();
  t.match(messages, [/mail\.shop\.test.*SpamCop/, /mail\.shop\.test.*Spamhaus DBL/]);
  t.match(messages[0], 'https://www.spamcop.net/bl.shtml', 'the delisting instructions');
  const id = notifications.find(({ data }) => /SpamCop/.test(data.incident.message))?.data.incident.id;
  const incident = (await product.api('GET', `/v1/alerts/${id}`)).body.data;
  t.match(incident, {
    ...{ status: 'firing', severity: 'warning', monitor_id: null },
    resource: { type: 'blacklist_monitor', id: made.body.data.id, name: 'mail.shop.test' },
    decision: { listing: { provider: 'spamcop', codes: ['127.0.0.2'], addresses: ['198.100.144.8'] } },
  });
  const own = await waitFor('the policy listing', 60_000, async () => {
    const { body } = await product.api('GET', `${PATH}/monitors/${policy.body.data.id}`);
    return body.data.listings.length === 1 ? body.data : null;
  });
  t.match(own, { listings: [{ provider: 'spamhaus-zen', policy: true }] });
  t.not(own.status, 'listed', 'a policy listing causes no alert');

  lists.clear('bl.spamcop.net', '198.100.144.8');
  await lists.reloaded();
  await checkSoon(made.body.data.id);
  const resolved = (await receiver.arrived(3, 60_000))[2]?.json;
  t.match(resolved, { type: 'incident.resolved', data: { incident: { id } } });
  t.match(resolved.data.incident.message, /no longer listed on SpamCop/);
  const { body: history } = await product.api('GET', `${PATH}/monitors/${made.body.data.id}/history?changed=true`);
  t.same(
    history.data.map((check: { changes: { kind: string; provider: string }[] }) =>
      check.changes.map(({ kind, provider }) => `${kind} ${provider}`),
    ),
    [['delisted spamcop'], ['listed spamcop', 'listed spamhaus-dbl']],
  );
  const timeline = await product.api('GET', `/v1/timeline?resource_id=${made.body.data.id}`);
  const types = timeline.body.data.map(({ type }: { type: string }) => type);
  for (const type of ['blacklist.listed', 'incident.opened', 'blacklist.delisted', 'incident.resolved']) {
    t.ok(types.includes(type), type);
  }

  lists.slow.ms = 1_000;
  lists.list('all.s5h.net', '198.100.144.9');
  await lists.reloaded();
  const asked = lists.resolver.questions.length;
  await checkSoon(made.body.data.id);
  await waitFor('the check to start', 60_000, () => lists.resolver.questions.length > asked);
  await product.kill('control-plane', 'SIGKILL');
  lists.slow.ms = 0;
  const after = (await receiver.arrived(4, 60_000))[3]?.json;
  t.match(after, { type: 'incident.opened', data: { incident: { message: /s5h/ } } });
  await product.api('DELETE', `${PATH}/monitors/${made.body.data.id}`);
  const last = (await receiver.arrived(6, 60_000)).slice(4).map(({ json }) => json.type);
  t.same(last, ['incident.resolved', 'incident.resolved'], 'the incidents of a deleted monitor are resolved');
  t.equal(receiver.requests.length, 6, 'and there are no other notifications');
  t.match(product.output(), /psbl.*fails its own tests|fails its own tests.*psbl/s, 'the log names the failing list');
});

t.test('a custom catalogue with a key that only the list sees', async (t) => {
  const key = 'k3ys3cr3tk3ys3cr3tk3y';
  const file = join(tmpdir(), `picket-providers-${process.pid}.json`);
  const row = { type: 'ip', website: 'https://lists.test/', delist_url: 'https://lists.test/off' };
  await writeFile(
    file,
    JSON.stringify([
      { id: 'plain', name: 'Plain', zone: 'plain.lists.test', ...row },
      { id: 'paid', name: 'Paid', zone: 'paid.lists.test', keyed_zone: '{key}.paid.lists.test', ...row },
    ]),
  );
  const mongo = await testDatabase();
  const resolver = await startScriptedDns(({ name, type }) => {
    if (name.startsWith('2.0.0.127.') || name.startsWith('7.144.')) return type === 'TXT' ? 'NODATA' : ['127.0.0.2'];
    return name.startsWith('8.144.') ? 'SERVFAIL' : 'NXDOMAIN';
  });
  const product = await startProduct({
    PICKET_MONGODB_URI: mongo.uri,
    PICKET_LOCATIONS: '',
    PICKET_LOG_LEVEL: 'trace',
    PICKET_DNS_SERVERS: resolver.server,
    PICKET_BLACKLIST_PROVIDERS: file,
    PICKET_BLACKLIST_KEYS: `paid=${key}`,
  });
  t.teardown(async () => {
    await product.remove();
    await resolver.stop();
    await rm(file);
    await mongo.drop();
  });
  const seen: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await product.api(method, path, body);
    seen.push(JSON.stringify(answer.body));
    return answer.body.data;
  };
  t.same(
    (await ask('GET', `${PATH}/providers`)).map(({ id, zone }: { id: string; zone: string }) => [id, zone]),
    [
      ['plain', 'plain.lists.test'],
      ['paid', 'paid.lists.test'],
    ],
  );
  t.match(await ask('POST', `${PATH}/instant-check`, { target: '198.100.144.7' }), { listed: 2, score: 0 });
  t.match(await ask('POST', `${PATH}/instant-check`, { target: '198.100.144.8' }), { responding: 0, score: null });
  const { id } = await ask('POST', `${PATH}/monitors`, { target: '198.100.144.7', frequency: 'daily' });
  await waitFor('the check', 60_000, async () => (await ask('GET', `${PATH}/monitors/${id}`)).status === 'listed');
  await ask('GET', `${PATH}/monitors/${id}/history`);
  await ask('GET', '/v1/alerts');
  await ask('GET', '/api/v1/audit-logs');
  t.ok(resolver.questions.some(({ name }) => name === `7.144.100.198.${key}.paid.lists.test`));
  t.notOk(
    resolver.questions.some(({ name }) => name.endsWith('.198.paid.lists.test')),
    'only with the key',
  );
  t.notMatch(seen.join('\n'), key, 'no response contains the key');
  t.notMatch(product.output(), key, 'no log line contains the key');
});
