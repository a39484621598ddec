import t from 'tap';
import { startEmailDomainsApp } from '../../helpers/email-domains/app.js';
import { goodZone } from '../../helpers/email-domains/good-domain.js';
import { startStarttlsServer } from '../../helpers/email-domains/mail-server.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';

const NAME = 'shop.example.com';
const POLICY = `version: STSv1\r\nmode: enforce\r\nmx: mx.${NAME}\r\nmax_age: 604800\r\n`;

const authority = await createAuthority();
const mailServer = await startStarttlsServer(await authority.issue({ names: [`mx.${NAME}`] }));
t.teardown(() => mailServer.stop());
const app = await startEmailDomainsApp({ authority, smtpPort: mailServer.port });
t.teardown(() => app.stop());

/** Makes the zone that of a good domain. */
function reset(): void {
  app.zone.clear();
  for (const [name, records] of goodZone(NAME)) app.zone.set(name, records);
  app.policies.set(NAME, POLICY);
}

t.test('a domain whose settings are all good passes in every area and has 100 points', async (t) => {
  reset();
  const { id, score, status } = await app.add(NAME, { dkim_selectors: ['S1'] });
  t.strictSame({ score, status }, { score: null, status: 'unknown' }, 'nothing is known before the first check');
  t.equal(await app.check(), 1);
  const domain = await app.read(id);
  t.strictSame(
    domain.areas.map(({ area, status, findings }) => [area, status, findings.map(({ code }) => code)]),
    ['mx', 'spf', 'dkim', 'dmarc', 'mta_sts', 'tls_rpt', 'reverse_dns', 'starttls'].map((area) => [
      area,
      'passing',
      [],
    ]),
  );
  t.match(domain, { score: 100, status: 'passing', last_checked_at: '2026-01-31T12:00:00.000Z' });
  t.match(domain.areas[7]?.evidence, [{ label: `mx.${NAME}`, value: /^TLSv1\.[23], certificate valid$/ }]);
  t.equal(await app.check(), 0, 'it is due again within a day');
  app.clock.jump(86_400_000);
  t.equal(await app.check(), 1);
});
