import t from 'tap';
import { buildKey, buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';
import { type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

interface Domain {
  domain: string;
  verified: boolean;
  record: { type: string; name: string; value: string };
}

const PATH = '/v1/single-sign-on/domains';

t.test('domains are verified by a TXT record', async (t) => {
  const records = new Map<string, DnsReply>();
  const dns = await startScriptedDns(({ name, type }) =>
    type === 'TXT' ? (records.get(name) ?? 'NXDOMAIN') : 'NODATA',
  );
  const single = await startSingleSignOn({ dnsServers: [dns.server] });
  t.teardown(() => Promise.all([single.close(), dns.stop()]));
  const { app } = single;
  const other = await buildWorkspace(app.parts.mongo);
  const { key: otherKey } = await buildKey(app.parts.mongo, other);
  const add = (domain: string, workspace: TestWorkspace = app.workspace) =>
    single.asOwner<Domain>('POST', PATH, { body: { domain }, workspace });
  const verify = (domain: string, workspace: TestWorkspace = app.workspace) =>
    single.asOwner<Domain>('POST', `${PATH}/${domain}/verify`, { workspace });
  const texts = (name: string, ...values: string[]): DnsReply => ({
    answers: values.map((data) => ({ name, type: 'TXT', ttl: 1, data: [data.slice(0, 20), data.slice(20)] })),
  });

  await t.test('a new domain shows the record to set, and is not verified', async (t) => {
    const { status, body } = await add('Example.com');
    t.equal(status, 201);
    t.match(body.data, {
      domain: 'example.com',
      verified: false,
      record: { type: 'TXT', name: '_picket-verification.example.com' },
    });
    t.match(body.data.record.value, /^picket-verification=[A-Za-z0-9_-]{32}$/);
    t.equal((await add('EXAMPLE.com')).status, 409, 'it is there already');
    for (const domain of ['localhost', '127.0.0.1', 'com', 'a b.example'])
      t.equal((await add(domain)).status, 422, domain);
    t.equal((await verify('unknown.example')).status, 404);
  });

  await t.test('without the record, or with that of another workspace, it stays unverified', async (t) => {
    t.match(await verify('example.com'), {
      status: 409,
      body: { detail: /no TXT record _picket-verification.example.com/ },
    });
    const theirs = (await add('example.com', other)).body.data.record;
    records.set(theirs.name, texts(theirs.name, theirs.value, 'v=spf1 -all'));
    t.equal((await verify('example.com')).status, 409);
    t.equal((await app.request<Domain[]>('GET', PATH)).body.data[0]?.verified, false);
  });

  await t.test('with the record it is verified, and for one workspace only', async (t) => {
    const [own] = (await app.request<Domain[]>('GET', PATH)).body.data;
    const [theirs] = (await app.request<Domain[]>('GET', PATH, { key: otherKey })).body.data;
    if (own === undefined || theirs === undefined) throw new Error('no domains');
    records.set(own.record.name, texts(own.record.name, own.record.value, theirs.record.value));
    t.match(await verify('example.com'), { status: 200, body: { data: { verified: true } } });
    t.match(await verify('example.com', other), { status: 409, body: { detail: /Another workspace/ } });
    t.match((await single.audit('integration.updated')).at(-1), {
      metadata: { domain: 'example.com', change: 'verified' },
    });
  });

  await t.test('servers that do not answer change nothing', async (t) => {
    records.set('_picket-verification.example.com', 'SERVFAIL');
    t.match(await verify('example.com'), { status: 409, body: { detail: /did not answer/ } });
    t.equal((await app.request<Domain[]>('GET', PATH)).body.data[0]?.verified, true);
  });

  await t.test('the next owner of a domain takes it over once the previous record is gone', async (t) => {
    const [theirs] = (await app.request<Domain[]>('GET', PATH, { key: otherKey })).body.data;
    records.set(
      '_picket-verification.example.com',
      texts('_picket-verification.example.com', theirs?.record.value ?? ''),
    );
    t.equal((await verify('example.com', other)).status, 200);
    t.equal(
      (await app.request<Domain[]>('GET', PATH)).body.data[0]?.verified,
      false,
      'the first workspace has lost it',
    );
    t.match((await single.audit('integration.updated')).at(-1), {
      actor: { email: 'system' },
      metadata: { change: 'unverified' },
    });
  });

  await t.test('a check on demand finds that the record is gone', async (t) => {
    records.delete('_picket-verification.example.com');
    t.equal((await verify('example.com', other)).status, 409);
    t.equal((await app.request<Domain[]>('GET', PATH, { key: otherKey })).body.data[0]?.verified, false);
  });

  await t.test('a domain is removed, but not the last one of an enforced workspace', async (t) => {
    t.equal((await single.asOwner('DELETE', `${PATH}/example.com`)).status, 204);
    t.equal((await single.asOwner('DELETE', `${PATH}/example.com`)).status, 404);
    await single.verifyDomain('last.example');
    const enforced = { single_sign_on: { enforced: true, break_glass_user_id: app.workspace.userId } };
    await single.db.collection<{ _id: string }>('workspaces').updateOne({ _id: app.workspace.id }, { $set: enforced });
    t.equal((await single.asOwner('DELETE', `${PATH}/last.example`)).status, 409);
  });

  await t.test('the list has pages, by name', async (t) => {
    for (const name of ['b', 'c', 'd']) await add(`${name}.example`);
    const first = await app.request<Domain[]>('GET', `${PATH}?limit=2`);
    const second = await app.request<Domain[]>('GET', `${PATH}?limit=2&cursor=${first.body.next_cursor}`);
    const names = [...first.body.data, ...second.body.data].map(({ domain }) => domain);
    t.same(names, ['b.example', 'c.example', 'd.example', 'last.example']);
    t.equal(second.body.next_cursor, null);
  });

  await t.test('two workspaces that verify a domain at once do not both get it', async (t) => {
    const both = await Promise.all(
      [app.workspace, other].map(async (workspace) => (await add('both.example', workspace)).body.data.record),
    );
    const [mine, theirs] = both;
    if (mine === undefined || theirs === undefined) throw new Error('no records');
    records.set(mine.name, texts(mine.name, mine.value, theirs.value));
    const answers = await Promise.all([verify('both.example'), verify('both.example', other)]);
    t.same(answers.map(({ status }) => status).sort(), [200, 409]);
  });
});
