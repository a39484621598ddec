import t from 'tap';
import type { AreaName } from '../../../control-plane/email-domains/areas/area.js';
import { startEmailDomainsApp } from '../../helpers/email-domains/app.js';
import { dkimRecord, goodZone } from '../../helpers/email-domains/good-domain.js';
import type { Zone } from '../../helpers/email-domains/zone.js';

const NAME = 'shop.example.com';
const KEY = dkimRecord(2_048);
const app = await startEmailDomainsApp();
t.teardown(() => app.stop());
const { id } = await app.add(NAME, { dkim_selectors: ['s1'] });

interface Case {
  what: string;
  area: AreaName;
  status: string;
  codes: string[];
  change(zone: Zone): unknown;
}

const spf = (text: string, ...more: string[]) => ({ mx: [`10 mx.${NAME}`], txt: [text, ...more] });
const dkim = (text: string) => (zone: Zone) => zone.set(`s1._domainkey.${NAME}`, { txt: [text] });
const dmarc =
  (...txt: string[]) =>
  (zone: Zone) =>
    zone.set(`_dmarc.${NAME}`, { txt });

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `127.0.1.${at + 1}`);

const CASES: Case[] = [
  {
    what: 'an include loop',
    area: 'spf',
    status: 'failing',
    codes: ['spf_include_loop'],
    change: (zone) => {
      zone.set(NAME, spf('v=spf1 include:a.example.net -all'));
      zone.set('a.example.net', { txt: ['v=spf1 include:b.example.net -all'] });
      zone.set('b.example.net', { txt: ['v=spf1 include:A.example.net. -all'] });
    },
  },
  {
    what: 'a record that includes itself',
    area: 'spf',
    status: 'failing',
    codes: ['spf_include_loop'],
    change: (zone) => zone.set(NAME, spf(`v=spf1 include:${NAME} -all`)),
  },
  {
    what: '50 includes',
    area: 'spf',
    status: 'failing',
    codes: ['spf_too_many_lookups'],
    change: (zone) => {
      const names = Array.from({ length: 50 }, (_, at) => `i${at}.example.net`);
      zone.set(NAME, spf(`v=spf1 ${names.map((name) => `include:${name}`).join(' ')} -all`));
      for (const name of names) zone.set(name, { txt: ['v=spf1 ip4:192.0.2.1 -all'] });
    },
  },
  {
    what: 'exactly ten lookups',
    area: 'spf',
    status: 'passing',
    codes: [],
    change: (zone) => {
      zone.set(
        NAME,
        spf(`v=spf1 ${Array.from({ length: 10 }, (_, at) => `include:i${at}.example.net`).join(' ')} -all`),
      );
      for (let at = 0; at < 10; at++) zone.set(`i${at}.example.net`, { txt: ['v=spf1 ip4:192.0.2.1 -all'] });
    },
  },
  {
    what: 'three names that do not exist',
    area: 'spf',
    status: 'failing',
    codes: ['spf_too_many_void_lookups'],
    change: (zone) => zone.set(NAME, spf('v=spf1 a:x.example.net a:y.example.net mx:z.example.net -all')),
  },
  {
    what: 'two SPF records',
    area: 'spf',
    status: 'failing',
    codes: ['spf_several_records'],
    change: (zone) => zone.set(NAME, spf('v=spf1 -all', 'v=spf1 mx -all')),
  },
  {
    what: 'a TXT record of 60 kB',
    area: 'spf',
    status: 'failing',
    codes: ['spf_invalid_term', 'spf_without_all'],
    change: (zone) => zone.set(NAME, spf(`v=spf1 ${'ip4:192.0.2.1 '.repeat(4_000)}-all`)),
  },
  {
    what: 'unrelated TXT records of 60 kB',
    area: 'spf',
    status: 'passing',
    codes: [],
    change: (zone) => zone.set(NAME, spf('v=spf1 mx -all', 'x'.repeat(60_000))),
  },
  {
    what: '+all',
    area: 'spf',
    status: 'failing',
    codes: ['spf_allows_all'],
    change: (zone) => zone.set(NAME, spf('v=spf1 +all')),
  },
  {
    what: 'no all',
    area: 'spf',
    status: 'warning',
    codes: ['spf_without_all'],
    change: (zone) => zone.set(NAME, spf('v=spf1 mx')),
  },
  {
    what: 'ptr',
    area: 'spf',
    status: 'warning',
    codes: ['spf_ptr'],
    change: (zone) => zone.set(NAME, spf('v=spf1 ptr -all')),
  },
  {
    what: 'no SPF',
    area: 'spf',
    status: 'failing',
    codes: ['spf_missing'],
    change: (zone) => zone.set(NAME, spf('hello')),
  },
  {
    what: 'terms that are not valid',
    area: 'spf',
    status: 'failing',
    codes: ['spf_invalid_term', 'spf_invalid_term', 'spf_invalid_name'],
    change: (zone) => zone.set(NAME, spf('v=spf1 ip4:999.1.1.1 include: a:b..c -all')),
  },
  {
    what: 'redirect',
    area: 'spf',
    status: 'passing',
    codes: [],
    change: (zone) => {
      zone.set(NAME, spf('v=spf1 redirect=_spf.example.net'));
      zone.set('_spf.example.net', { txt: ['v=spf1 ip4:192.0.2.0/24 ~all'] });
    },
  },
  { what: 'a revoked key', area: 'dkim', status: 'failing', codes: ['dkim_revoked'], change: dkim('v=DKIM1; p=') },
  { what: 'a short key', area: 'dkim', status: 'warning', codes: ['dkim_short_key'], change: dkim(dkimRecord(1_024)) },
  {
    what: 'a key that is not Base64',
    area: 'dkim',
    status: 'failing',
    codes: ['dkim_invalid'],
    change: dkim('v=DKIM1; p=<script>'),
  },
  {
    what: 'bytes that are no key',
    area: 'dkim',
    status: 'failing',
    codes: ['dkim_invalid'],
    change: dkim('v=DKIM1; p=AAAA'),
  },
  { what: 'test mode', area: 'dkim', status: 'warning', codes: ['dkim_test_mode'], change: dkim(`${KEY}; t=y:s`) },
  {
    what: 'no record of the given selector',
    area: 'dkim',
    status: 'failing',
    codes: ['dkim_missing'],
    change: (zone) => zone.delete(`s1._domainkey.${NAME}`),
  },
  {
    what: 'a wildcard for all selectors',
    area: 'dkim',
    status: 'passing',
    codes: ['dkim_wildcard'],
    change: (zone) => zone.set(`*._domainkey.${NAME}`, { txt: ['v=DKIM1; p='] }),
  },
  {
    what: 'a chain of aliases',
    area: 'dkim',
    status: 'passing',
    codes: [],
    change: (zone) => {
      zone.set(`s1._domainkey.${NAME}`, { cname: 'c0.example.net' });
      for (let at = 0; at < 5; at++) zone.set(`c${at}.example.net`, { cname: `c${at + 1}.example.net` });
      zone.set('c5.example.net', { txt: [KEY] });
    },
  },
  {
    what: 'aliases without an end',
    area: 'dkim',
    status: 'unknown',
    codes: ['lookup_failed'],
    change: (zone) => zone.set(`s1._domainkey.${NAME}`, { cname: `s1._domainkey.${NAME}` }),
  },
  {
    what: 'no DMARC',
    area: 'dmarc',
    status: 'failing',
    codes: ['dmarc_missing'],
    change: (zone) => zone.delete(`_dmarc.${NAME}`),
  },
  {
    what: 'DMARC nonsense',
    area: 'dmarc',
    status: 'failing',
    codes: ['dmarc_invalid'],
    change: dmarc('v=DMARC1; p=p=p; ;;='),
  },
  {
    what: 'an unknown policy',
    area: 'dmarc',
    status: 'failing',
    codes: ['dmarc_invalid'],
    change: dmarc('v=DMARC1; p=__proto__'),
  },
  {
    what: 'two DMARC records',
    area: 'dmarc',
    status: 'failing',
    codes: ['dmarc_several_records'],
    change: dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject'),
  },
  {
    what: 'a policy that does nothing',
    area: 'dmarc',
    status: 'warning',
    codes: ['dmarc_policy_none', 'dmarc_without_reports'],
    change: dmarc('v=DMARC1; p=none'),
  },
  {
    what: 'half a policy',
    area: 'dmarc',
    status: 'warning',
    codes: ['dmarc_subdomains_open', 'dmarc_percent', 'dmarc_invalid_tags'],
    change: dmarc(`v=DMARC1; p=reject; sp=none; pct=50; adkim=x; rua=mailto:a@${NAME}`),
  },
  {
    what: 'reports to a domain that has not agreed',
    area: 'dmarc',
    status: 'warning',
    codes: ['dmarc_reports_refused'],
    change: dmarc('v=DMARC1; p=reject; rua=mailto:a@reports.example.net'),
  },
  {
    what: 'reports to a domain that has agreed',
    area: 'dmarc',
    status: 'passing',
    codes: [],
    change: (zone) => {
      dmarc('v=DMARC1; p=reject; rua=mailto:a@reports.example.net!10m')(zone);
      zone.set(`${NAME}._report._dmarc.reports.example.net`, { txt: ['v=DMARC1'] });
    },
  },
  {
    what: 'the policy of the organization',
    area: 'dmarc',
    status: 'warning',
    codes: ['dmarc_policy_none'],
    change: (zone) => {
      zone.delete(`_dmarc.${NAME}`);
      zone.set('_dmarc.example.com', { txt: ['v=DMARC1; p=reject; sp=none; rua=mailto:a@example.com'] });
    },
  },
  {
    what: 'a policy without a mail server',
    area: 'mta_sts',
    status: 'failing',
    codes: ['mta_sts_mx_missing'],
    change: () => app.policies.set(NAME, 'version: STSv1\nmode: enforce\nmx: *.other.example\nmax_age: 1\n'),
  },
  {
    what: 'a policy that is not served',
    area: 'mta_sts',
    status: 'failing',
    codes: ['mta_sts_policy_invalid'],
    change: () => app.policies.delete(NAME),
  },
  {
    what: 'reports about TLS to nobody',
    area: 'tls_rpt',
    status: 'failing',
    codes: ['tls_rpt_invalid'],
    change: (zone) => zone.set(`_smtp._tls.${NAME}`, { txt: ['v=TLSRPTv1; rua=javascript:alert(1)'] }),
  },
  {
    what: 'a name that does not lead back',
    area: 'reverse_dns',
    status: 'failing',
    codes: ['reverse_dns_unconfirmed'],
    change: (zone) => zone.set('2.0.0.127.in-addr.arpa', { ptr: ['other.example.net'] }),
  },
  {
    what: 'a mail server without an address',
    area: 'mx',
    status: 'failing',
    codes: ['mx_without_address'],
    change: (zone) => zone.delete(`mx.${NAME}`),
  },
  {
    what: 'an address instead of a mail server',
    area: 'mx',
    status: 'failing',
    codes: ['mx_is_address'],
    change: (zone) => zone.set(NAME, { mx: ['10 192.0.2.1'], txt: ['v=spf1 mx -all'] }),
  },
  {
    what: 'a null MX',
    area: 'mx',
    status: 'passing',
    codes: ['mx_null'],
    change: (zone) => zone.set(NAME, { mx: ['0 .'], txt: ['v=spf1 -all'] }),
  },
  {
    what: 'an enforced policy while the mail servers are unknown',
    area: 'mta_sts',
    status: 'unknown',
    codes: ['lookup_failed'],
    change: (zone) => zone.set(NAME, { fails: ['MX'], txt: ['v=spf1 mx -all'] }),
  },
  {
    what: 'a name with more addresses than are looked at, one of which leads back',
    area: 'reverse_dns',
    status: 'passing',
    codes: [],
    change: (zone) => {
      zone.set('2.0.0.127.in-addr.arpa', { ptr: ['pool.example.net'] });
      zone.set('pool.example.net', { a: [...addresses(20), '127.0.0.2'] });
    },
  },
  {
    what: 'a mail server with 100 addresses',
    area: 'reverse_dns',
    status: 'failing',
    codes: Array.from({ length: 4 }, () => 'reverse_dns_missing'),
    change: (zone) => zone.set(`mx.${NAME}`, { a: addresses(100) }),
  },
  {
    what: 'mail servers without an address, which have no reverse DNS',
    area: 'reverse_dns',
    status: 'not_measured',
    codes: ['not_needed'],
    change: (zone) => zone.delete(`mx.${NAME}`),
  },
  {
    what: 'a mail server whose addresses could not be looked up',
    area: 'reverse_dns',
    status: 'unknown',
    codes: ['lookup_failed'],
    change: (zone) => zone.set(`mx.${NAME}`, 'SERVFAIL'),
  },
  { what: 'no domain', area: 'mx', status: 'failing', codes: ['domain_unknown'], change: (zone) => zone.clear() },
  {
    what: 'a mail server that nobody reaches',
    area: 'starttls',
    status: 'not_measured',
    codes: ['starttls_unreachable'],
    change: () => undefined,
  },
];

for (const { what, area, status, codes, change } of CASES) {
  t.test(what, async (t) => {
    app.zone.clear();
    for (const [name, records] of goodZone(NAME)) app.zone.set(name, records);
    app.policies.set(NAME, `version: STSv1\nmode: enforce\nmx: *.${NAME}\nmax_age: 604800\n`);
    change(app.zone);
    const before = app.dns.questions.length;
    app.clock.jump(86_400_000);
    await app.check();
    const found = (await app.read(id)).areas.find((one) => one.area === area);
    t.strictSame({ status: found?.status, codes: found?.findings.map(({ code }) => code) }, { status, codes });
    t.ok(app.dns.questions.length - before < 150, 'the number of lookups is bounded');
    for (const { value } of found?.evidence ?? []) t.ok(value.length <= 500);
  });
}
