import t from 'tap';
import { registeredDomainOf } from '../../../control-plane/domain-expiry/registered-domain.js';

t.test('the registered domain is the one directly below a public suffix of the internet', (t) => {
  const found = (host: string) => {
    const domain = registeredDomainOf(host);
    return domain === null ? null : [domain.name, domain.suffix];
  };
  for (const [host, expected] of [
    ['www.example.com', ['example.com', 'com']],
    ['EXAMPLE.COM.', ['example.com', 'com']],
    ['a.b.example.co.uk', ['example.co.uk', 'co.uk']],
    ['me.github.io', ['github.io', 'io']],
    ['www.xn--bcher-kva.de', ['xn--bcher-kva.de', 'de']],
    ['shop.xn--p1ai', ['shop.xn--p1ai', 'xn--p1ai']],
    ['www.ck', ['www.ck', 'ck']],
    ['co.uk', null],
    ['com', null],
    ['localhost', null],
    ['db.internal', null],
    ['printer.local', null],
    ['shop.test', null],
    ['192.0.2.1', null],
    ['2001:db8::1', null],
    ['', null],
    ['a'.repeat(300), null],
  ] as const)
    t.same(found(host), expected, host);
  t.end();
});
