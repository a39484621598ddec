import t, { type Test } from 'tap';
import { startEmailDomainsApp } from '../../helpers/email-domains/app.js';
import { goodZone } from '../../helpers/email-domains/good-domain.js';
import type { ZoneRecords } from '../../helpers/email-domains/zone.js';

const NAME = 'shop.example.com';
const SPF = { mx: [`10 mx.${NAME}`], txt: ['v=spf1 mx -all'] };
const TWO_SPF: ZoneRecords = { ...SPF, txt: ['v=spf1 mx -all', 'v=spf1 -all'] };
const DAY = 86_400_000;

async function setUp(t: Test) {
  const app = await startEmailDomainsApp({ zone: goodZone(NAME) });
  t.teardown(() => app.stop());
  app.policies.set(NAME, `version: STSv1\nmode: enforce\nmx: mx.${NAME}\nmax_age: 604800\n`);
  const { id } = await app.add(NAME, { dkim_selectors: ['s1'] });
  await app.check();
  const next = async () => {
    app.clock.jump(DAY);
    await app.check();
    return app.read(id);
  };
  return { app, id, next };
}

t.test('a lookup that fails is unknown and leaves the score as it was', async (t) => {
  const { app, id, next } = await setUp(t);
  t.equal((await app.read(id)).score, 100);
  app.zone.set(NAME, 'SERVFAIL');
  for (let day = 0; day < 3; day++) {
    const domain = await next();
    t.equal(domain.score, 100);
    t.strictSame(
      domain.areas.filter(({ status }) => status === 'unknown').map(({ area, counted_as }) => [area, counted_as]),
      [
        ['mx', 'passing'],
        ['spf', 'passing'],
        ['mta_sts', 'passing'],
        ['reverse_dns', 'passing'],
        ['starttls', 'left_out'],
      ],
    );
  }
  t.strictSame(await app.incidents(), []);
  app.zone.set(NAME, SPF);
  t.match((await next()).areas[1], { area: 'spf', status: 'passing' });
});

t.test('before every area was known there is no score, instead of a low one', async (t) => {
  const app = await startEmailDomainsApp({ zone: goodZone(NAME).set(`_dmarc.${NAME}`, 'SERVFAIL') });
  t.teardown(() => app.stop());
  const { id } = await app.add(NAME, { dkim_selectors: ['s1'] });
  await app.check();
  t.match(await app.read(id), { score: null, areas: { 3: { area: 'dmarc', status: 'unknown', points: null } } });
});

t.test('a score that falls by 10 opens one incident, which ends when the score is back', async (t) => {
  const { app, id, next } = await setUp(t);
  app.zone.set(NAME, TWO_SPF);
  t.equal((await next()).score, 78, '75 of 95 points: STARTTLS was never measured');
  const [incident, ...others] = await app.incidents();
  t.strictSame(others, []);
  t.match(incident, {
    kind: 'email',
    subject: `email:${id}`,
    resource: { type: 'email_domain', id, name: NAME },
    status: 'firing',
    severity: 'warning',
    message: `The e-mail score of ${NAME} fell from 100 to 78. Failing: SPF. ${NAME} has 2 SPF records. Receivers then ignore all of them.`,
  });
  const shown = await app.request('GET', `/v1/alerts/${incident?._id}`);
  t.match(shown.body.data, {
    decision: {
      rule: { type: 'email_score_fell' },
      email: { domain: NAME, from_score: 100, score: 78, failing: [{ area: 'spf' }] },
    },
  });
  await next();
  t.equal((await app.incidents()).length, 1, 'the same fall opens no second incident');
  app.zone.set(NAME, SPF);
  t.equal((await next()).score, 100);
  const [resolved] = await app.incidents();
  t.match(resolved, {
    status: 'resolved',
    resolution: 'recovered',
    recovery: { email: { from_score: 100, score: 100 } },
  });
});

t.test(
  'an area of few points opens an incident when it fails twice in a row, the second time after 15 minutes',
  async (t) => {
    const { app, id, next } = await setUp(t);
    app.policies.set(NAME, 'nonsense');
    t.equal((await next()).score, 94, 'MTA-STS has 5 of 95 points');
    t.strictSame(await app.incidents(), []);
    app.zone.set(`_mta-sts.${NAME}`, 'SERVFAIL');
    app.clock.jump(15 * 60_000);
    t.equal(await app.check(), 1, 'it is checked again soon');
    t.strictSame(await app.incidents(), [], 'a failed lookup confirms nothing');
    app.zone.set(`_mta-sts.${NAME}`, { txt: ['v=STSv1; id=1'] });
    app.clock.jump(15 * 60_000);
    await app.check();
    const [incident] = await app.incidents();
    t.match(incident, { status: 'firing', decision: { email: { failing: [{ area: 'mta_sts' }] } } });
    app.policies.set(NAME, `version: STSv1\nmode: enforce\nmx: mx.${NAME}\nmax_age: 604800\n`);
    await next();
    t.match(await app.incidents(), [{ status: 'resolved' }]);
    t.equal((await app.read(id)).score, 100);
  },
);

t.test('an incident that a person resolves does not open again for the same fall', async (t) => {
  const { app, next } = await setUp(t);
  app.zone.set(NAME, TWO_SPF);
  await next();
  const [incident] = await app.incidents();
  t.equal((await app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  await next();
  await app.sweep();
  t.equal((await app.incidents()).length, 1);
  app.zone.set(NAME, SPF);
  await next();
  app.zone.set(NAME, TWO_SPF);
  await next();
  t.equal((await app.incidents()).length, 2, 'the next fall opens another one');
});

t.test('trouble that gets worse after a person accepted it opens another incident', async (t) => {
  const { app, next } = await setUp(t);
  const accept = async () => {
    const incident = (await app.incidents()).at(-1);
    t.equal((await app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  };
  app.zone.delete(`s1._domainkey.${NAME}`);
  await next();
  await next();
  t.equal((await app.incidents()).length, 1);
  await accept();
  await next();
  t.equal((await app.incidents()).length, 1, 'the broken DKIM is accepted');

  app.policies.set(NAME, 'nonsense');
  t.equal((await next()).score, 73, 'MTA-STS has too few points for a fall');
  t.equal((await app.incidents()).length, 1);
  await next();
  t.match(await app.incidents(), [
    { status: 'resolved' },
    { status: 'firing', decision: { email: { from_score: 73, failing: [{ area: 'dkim' }, { area: 'mta_sts' }] } } },
  ]);
  await accept();

  app.zone.set(NAME, TWO_SPF);
  app.zone.delete(`_dmarc.${NAME}`);
  app.zone.delete(`mx.${NAME}`);
  await next();
  const worse = await app.incidents();
  t.equal(worse.length, 3, 'a score that falls again opens one at once');
  t.match(worse[2], { status: 'firing', decision: { email: { from_score: 73 } } });
  await accept();
  await next();
  await next();
  t.equal((await app.incidents()).length, 3, 'the areas of the fall that fail once more are nothing new');
});

t.test('the sweep opens the incident that a rule lacked, and the end of the domain resolves it', async (t) => {
  const { app, id, next } = await setUp(t);
  const rules = await app.request<{ id: string; type: string }[]>('GET', '/v1/alert-rules');
  const [rule] = rules.body.data;
  t.match(rules.body.data, [{ name: 'E-mail score fell', type: 'email_score_fell', enabled: true }]);
  await app.request('DELETE', `/v1/alert-rules/${rule?.id}`);
  app.zone.set(NAME, TWO_SPF);
  await next();
  t.strictSame(await app.incidents(), [], 'without a rule there is no incident');
  await app.request('POST', '/v1/alert-rules', {
    body: { name: 'Mail', type: 'email_score_fell', severity: 'critical' },
  });
  await app.sweep();
  t.match(await app.incidents(), [{ status: 'firing', severity: 'critical' }]);
  t.equal((await app.request('DELETE', `/v1/email-domains/${id}`)).status, 204);
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'deleted' }]);
});
