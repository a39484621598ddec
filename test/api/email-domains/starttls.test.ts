import t from 'tap';
import { startEmailDomainsApp } from '../../helpers/email-domains/app.js';
import { goodZone } from '../../helpers/email-domains/good-domain.js';
import { startStarttlsServer } from '../../helpers/email-domains/mail-server.js';
import { startSmtpScript } from '../../helpers/email-domains/smtp-script.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';

const NAME = 'shop.example.com';
const HOST = `mx.${NAME}`;
const [authority, unknownAuthority] = await Promise.all([createAuthority(), createAuthority()]);
const plain = await startStarttlsServer(null);
const { port } = plain;
const untrusted = await startStarttlsServer(await unknownAuthority.issue({ names: [HOST] }), {
  address: '127.0.0.3',
  port,
});
const misnamed = await startStarttlsServer(await authority.issue({ names: ['other.example.com'] }), {
  address: '127.0.0.4',
  port,
});
const refusing = await startSmtpScript(() => '554 no service for unknown senders\r\n', { address: '127.0.0.5', port });
const broken = await startSmtpScript(
  (line, socket) => {
    if (line === 'STARTTLS') socket.once('data', () => socket.end('this is no TLS\r\n'));
    return line === '' ? '220 mx\r\n' : line.startsWith('EHLO') ? '250 STARTTLS\r\n' : '220 go\r\n';
  },
  { address: '127.0.0.6', port },
);
t.teardown(() => Promise.all([plain, untrusted, misnamed, refusing, broken].map((server) => server.stop())));
const app = await startEmailDomainsApp({ authority, smtpPort: port });
t.teardown(() => app.stop());
const { id } = await app.add(NAME, { dkim_selectors: ['s1'] });

for (const [what, address, status, code, evidence] of [
  ['a server without STARTTLS', '127.0.0.2', 'failing', 'starttls_missing', 'STARTTLS is not offered'],
  ['an unknown authority', '127.0.0.3', 'warning', 'starttls_certificate', /certificate not valid/],
  ['a certificate of another name', '127.0.0.4', 'warning', 'starttls_certificate', /certificate not valid/],
  [
    'a server that refuses',
    '127.0.0.5',
    'not_measured',
    'starttls_unreachable',
    'not measured: the server greets with 554',
  ],
  ['a server whose handshake fails', '127.0.0.6', 'failing', 'starttls_handshake', /^handshake failed/],
  ['no server', '127.0.0.7', 'not_measured', 'starttls_unreachable', 'not measured: ECONNREFUSED'],
] as const) {
  t.test(what, async (t) => {
    app.zone.clear();
    for (const [name, records] of goodZone(NAME, address)) app.zone.set(name, records);
    app.clock.jump(86_400_000);
    await app.check();
    t.match((await app.read(id)).areas[7], {
      area: 'starttls',
      status,
      findings: [{ code }],
      evidence: [{ label: HOST, value: evidence }],
    });
  });
}
