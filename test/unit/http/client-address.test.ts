import t from 'tap';
import { readConfig } from '../../../control-plane/config.js';
import { clientAddressOf } from '../../../control-plane/http/client/forwarded-for.js';
import { exactNetworks, readNetworks } from '../../../kernel/guard/networks.js';

const PROXIES = exactNetworks(readNetworks('PICKET_TRUSTED_PROXIES', '10.0.0.0/8,192.0.2.7,2001:db8:aa::/48'));
const NONE = exactNetworks([]);
const CLIENT = '203.0.113.9';

t.test('the client is the rightmost address that is not a trusted proxy', async (t) => {
  for (const [why, peer, header, client] of [
    ['no header', '10.1.1.1', '', '10.1.1.1'],
    ['one proxy', '10.1.1.1', CLIENT, CLIENT],
    ['two proxies', '10.1.1.1', `${CLIENT}, 192.0.2.7`, CLIENT],
    ['an address that the client has invented', '10.1.1.1', `198.51.100.1, ${CLIENT}`, CLIENT],
    [
      'a trusted address that the client has invented',
      '10.1.1.1',
      `198.51.100.1, 10.9.9.9, ${CLIENT}, 10.2.2.2`,
      CLIENT,
    ],
    ['a peer that is not a proxy', CLIENT, '198.51.100.1', CLIENT],
    ['only proxies', '10.1.1.1', '10.3.3.3,10.2.2.2', '10.3.3.3'],
    ['nonsense behind a proxy', '10.1.1.1', `${CLIENT}, unknown, 10.2.2.2`, '10.2.2.2'],
    ['nonsense that the client has sent', '10.1.1.1', `unknown,, ${CLIENT}`, CLIENT],
    ['an empty item', '10.1.1.1', `${CLIENT},`, '10.1.1.1'],
    ['a port', '10.1.1.1', `${CLIENT}:4711`, CLIENT],
    ['IPv6', '2001:db8:aa::1', '2001:0DB8:0bb::0001', '2001:db8:bb::1'],
    ['IPv6 with a port', '2001:db8:aa::1', '[2001:db8:bb::1]:4711', '2001:db8:bb::1'],
    ['an IPv4 peer of an IPv6 socket', '::ffff:10.1.1.1', `::ffff:${CLIENT}`, CLIENT],
  ] as const) {
    t.equal(clientAddressOf(peer, header, PROXIES), client, why);
    const alone = peer.replace('::ffff:', '');
    t.equal(clientAddressOf(peer, header, NONE), alone, `${why}: ignored without trusted proxies`);
  }
  const endless = Array.from({ length: 5_000 }, () => '10.2.2.2').join(',');
  t.equal(clientAddressOf('10.1.1.1', `${CLIENT},${endless}`, PROXIES), '10.2.2.2', 'a bounded number of proxies');
});

t.test('PICKET_TRUSTED_PROXIES takes addresses and networks of both families', async (t) => {
  const read = (value: string) =>
    readConfig({ PICKET_MONGODB_URI: 'mongodb://127.0.0.1/picket', PICKET_TRUSTED_PROXIES: value }).trustedProxies;
  const networks = read('10.0.0.0/8, 192.0.2.7,fd00::/8,::1, ::ffff:172.16.0.0/108');
  for (const address of ['10.255.0.1', '192.0.2.7', '::ffff:10.0.0.1', 'fdff::1', '::1', '172.31.255.255']) {
    t.ok(networks.contain(address), address);
  }
  for (const address of [
    '11.0.0.1',
    '192.0.2.8',
    'fe80::1',
    '::2',
    '172.32.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    'proxy',
    '',
  ]) {
    t.notOk(networks.contain(address), address);
  }
  t.notOk(read('').contain('127.0.0.1'), 'none by default');
  for (const value of ['proxy.example', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/', '10.0.0.0/-1', '10/8']) {
    t.throws(() => read(value), { name: 'SettingError', message: /^PICKET_TRUSTED_PROXIES must be / }, value);
  }
  for (const value of ['0.0.0.0/0', '10.0.0.0/8,::/0']) {
    t.throws(() => read(value), { name: 'SettingError', message: /is every address/ }, value);
  }
});
