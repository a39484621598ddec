import t from 'tap';
import { startEmailDomainsApp } from '../../helpers/email-domains/app.js';
import { goodZone } from '../../helpers/email-domains/good-domain.js';

const NAME = 'shop.example.com';

t.test('the internal addresses that a mail server points to are neither shown nor asked about', async (t) => {
  const zone = goodZone(NAME)
    .set(NAME, { mx: ['10 mongo.default.svc.cluster.local', `20 mx.${NAME}`], txt: ['v=spf1 mx -all'] })
    .set('mongo.default.svc.cluster.local', { a: ['10.1.2.3'], aaaa: ['fd00::7'] })
    .set(`mx.${NAME}`, { a: ['10.0.0.5'] })
    .set('5.0.0.10.in-addr.arpa', { ptr: ['payroll.corp.example'] });
  const app = await startEmailDomainsApp({ zone, allowPrivate: false });
  t.teardown(() => app.stop());
  const { id } = await app.add(NAME, { dkim_selectors: ['s1'] });
  await app.check();
  const shown = JSON.stringify(await app.read(id));
  for (const secret of ['10.1.2.3', 'fd00::7', '10.0.0.5', 'payroll']) t.notMatch(shown, secret);
  t.match((await app.read(id)).areas[0]?.evidence, [
    { value: 'mongo.default.svc.cluster.local points to an address that is not allowed' },
    { value: `mx.${NAME} points to an address that is not allowed` },
  ]);
  t.strictSame(
    app.dns.questions.filter(({ type }) => type === 'PTR'),
    [],
  );
});

t.test('a new domain whose mail servers have no address has a score', async (t) => {
  const dead = 'dead.example.com';
  const zone = new Map([...goodZone(NAME), ...goodZone(dead)])
    .set(NAME, { mx: ['10 192.0.2.1'], txt: ['v=spf1 -all'] })
    .set(`mx.${dead}`, {});
  const app = await startEmailDomainsApp({ zone });
  t.teardown(() => app.stop());
  for (const name of [NAME, dead]) {
    const { id } = await app.add(name, { dkim_selectors: ['s1'] });
    await app.check();
    const domain = await app.read(id);
    t.type(domain.score, 'number', name);
    t.match(domain.areas[6], { area: 'reverse_dns', counted_as: 'left_out' });
  }
});

t.test('no SPF record is proposed while the mail servers are unknown', async (t) => {
  const app = await startEmailDomainsApp({ zone: goodZone(NAME).set(NAME, { fails: ['MX'] }) });
  t.teardown(() => app.stop());
  const { id } = await app.add(NAME);
  await app.check();
  t.match((await app.read(id)).areas[1], { area: 'spf', findings: [{ code: 'spf_missing' }], proposal: null });
});

t.test('a common selector counts only where no wildcard answers, so not while that is unknown', async (t) => {
  const zone = goodZone(NAME).set(`picket-no-such-selector._domainkey.${NAME}`, 'SERVFAIL');
  const app = await startEmailDomainsApp({ zone });
  t.teardown(() => app.stop());
  const { id } = await app.add(NAME);
  await app.check();
  t.match((await app.read(id)).areas[2], { area: 'dkim', status: 'unknown', findings: [{ code: 'lookup_failed' }] });
});
