import t from 'tap';
import { readNetworks } from '../../../kernel/guard/networks.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { isLoopbackHost } from '../../../kernel/loopback.js';
import { readProbeCommand } from '../../../probe/config.js';

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
  'fe80::a9fe:a9fe%eth0',
  '::ffff:169.254.169.254',
  '::169.254.169.254',
  '::ffff:0:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1:aaa9:fe:a9fe::',
  '64:ff9b:1:aabb:a9:fea9:fe00:0',
  '2002:a9fe:a9fe::1',
  '64:ff9b::168.63.129.16',
];

t.test('metadata addresses of clouds are refused, whatever the settings say', (t) => {
  for (const allowPrivate of [true, false]) {
    const guard = createTargetGuard({ allowPrivate });
    for (const address of METADATA) {
      t.equal(guard.refusal(address), `${address} is a cloud metadata address`, `${address}, ${allowPrivate}`);
    }
    for (const host of ['169.254.169.254', '0xa9fea9fe', '2852039166', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]']) {
      t.match(guard.hostRefusal(host), /is a cloud metadata address$/, host);
    }
  }
  const open = createTargetGuard({ allowPrivate: true });
  for (const address of ['169.254.1.1', '127.0.0.1', '10.0.0.1', '100.100.100.201', 'fe80::1', 'fd00::1', '::1']) {
    t.equal(open.refusal(address), null, `${address} is private, which is allowed here`);
  }
  t.equal(createTargetGuard({ allowPrivate: false }).refusal('168.63.129.17'), null, 'its neighbour is public');
  t.end();
});

t.test('PICKET_DENY_TARGETS refuses networks and addresses, public ones too', (t) => {
  const denied = readNetworks('PICKET_DENY_TARGETS', '10.1.0.0/16, 203.0.114.7,2a00:1450::/32, ::ffff:192.0.3.0/120 ,');
  t.equal(denied.length, 4);
  const guard = createTargetGuard({ allowPrivate: true, denied });
  for (const address of [
    '10.1.255.255',
    '203.0.114.7',
    '2a00:1450:4001::1',
    '192.0.3.9',
    '::ffff:10.1.0.1',
    '64:ff9b::10.1.0.1',
    '2002:a01:203::',
  ]) {
    t.equal(guard.refusal(address), `${address} is in a network that this installation denies`);
  }
  for (const address of ['10.2.0.0', '203.0.114.8', '2a00:1451::1', '192.0.4.1', '64:ff9b::10.2.0.1']) {
    t.equal(guard.refusal(address), null, address);
  }
  t.same(readNetworks('X', null), []);
  for (const text of [
    '10.0.0.0/33',
    '10.1',
    '::/129',
    'example.com',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/-1',
  ]) {
    t.throws(() => readNetworks('PICKET_DENY_TARGETS', `10.0.0.0/8,${text}`), {
      name: 'SettingError',
      message: /^PICKET_DENY_TARGETS must be addresses or networks/,
    });
  }
  const command = readProbeCommand([], { PICKET_DENY_TARGETS: '10.0.0.0/8' });
  t.match(command, { config: { deniedTargets: { length: 1 } } }, 'probes read it too');
  t.end();
});

t.test('a loopback host is one that only this machine can reach', (t) => {
  for (const host of [
    '127.0.0.1',
    '127.8.9.10',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
  ]) {
    t.equal(isLoopbackHost(host), true, host);
  }
  for (const host of [
    '0.0.0.0',
    '::',
    '',
    '10.0.0.1',
    'picket.example',
    'localhost.example',
    '128.0.0.1',
    '127.0.0.1:80',
  ]) {
    t.equal(isLoopbackHost(host), false, host);
  }
  t.end();
});

t.test('addresses that only this machine or its network can reach are refused, in every notation', (t) => {
  const { refusal, hostRefusal } = createTargetGuard({ allowPrivate: false });
  const private4 = ['127.0.0.1', '127.255.255.254', '10.1.2.3', '172.16.0.1', '192.168.1.1', '0.0.0.0'];
  const mapped = private4.flatMap((address) => [`::ffff:${address}`, `64:ff9b::${address}`]);
  const addresses = [...private4, ...mapped, '::1', '::', 'fe80::1', 'fd12::1', 'fc00::1'];
  t.same(
    addresses.filter((address) => refusal(address) === null),
    [],
  );
  const hosts = ['localhost', 'LOCALHOST.', 'api.localhost', '127.1', '2130706433', '0x7f.1', '[::1]', '017700000001'];
  t.same(
    hosts.filter((host) => hostRefusal(host) === null),
    [],
  );
  for (const address of ['8.8.8.8', '2606:4700::1111']) t.equal(refusal(address), null, address);
  t.end();
});

t.test('a refusal names the range of the address in words', (t) => {
  const { refusal } = createTargetGuard({ allowPrivate: false });
  t.equal(refusal('10.0.0.1'), '10.0.0.1 is a private address');
  t.equal(refusal('0.0.0.0'), '0.0.0.0 is an unspecified address');
  t.equal(refusal('100.64.0.1'), '100.64.0.1 is a carrier-grade NAT address');
  t.equal(refusal('169.254.1.1'), '169.254.1.1 is a link-local address');
  t.equal(refusal('fd12::1'), 'fd12::1 is a private (unique local) address');
  t.end();
});
