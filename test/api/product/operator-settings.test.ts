import { createHash } from 'node:crypto';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

/** Settings of the operator, on the whole control plane. Private targets are allowed here. */
const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri, {
  PICKET_DENY_TARGETS: '203.0.114.0/24,10.1.0.0/16',
  PICKET_PUBLIC_URL: 'http://picket.internal:8080',
});
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

t.test('no monitor, channel or forwarder may point to a denied network or to metadata of a cloud', async (t) => {
  const create = {
    monitor: (host: string) =>
      controlPlane.api('POST', '/v1/monitors', { name: 'm', type: 'http', url: `http://${host}/` }),
    channel: (host: string) =>
      controlPlane.api('POST', '/v1/channels', { type: 'slack', name: 'c', config: { url: `http://${host}/x` } }),
    forwarder: (host: string) =>
      controlPlane.api('POST', '/api/v1/audit-logs/forwarders', { target: `http://${host}/x` }),
  };
  for (const [what, post] of Object.entries(create)) {
    for (const host of ['203.0.114.7', '10.1.2.3']) {
      const refused = await post(host);
      t.equal(refused.status, 422, `${what}, ${host}`);
      t.match(JSON.stringify(refused.body.errors), /is in a network that this installation denies/);
    }
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '168.63.129.16']) {
      const refused = await post(host);
      t.equal(refused.status, 422, `${what}, ${host}`);
      t.match(JSON.stringify(refused.body.errors), /is a cloud metadata address/);
    }
    t.equal((await post('10.2.0.1')).status, 201, `${what}, a private address that is not denied`);
  }
});

t.test('over plain http in a network, install commands contain the SHA-256 of the script that is served', async (t) => {
  for (const [path, body, script] of [
    ['/v1/servers/join-tokens', undefined, 'agent.sh'],
    ['/v1/admin/probes/join-tokens', { location: 'fra' }, 'probe.sh'],
  ] as const) {
    const made = await controlPlane.api('POST', path, body);
    t.equal(made.status, 201, path);
    const { token, install_command: command } = made.body.data;
    const served = await (await fetch(`${controlPlane.url}/install/${script}`)).text();
    t.match(served, /^#!\/bin\/sh/);
    t.ok(command.includes(createHash('sha256').update(served).digest('hex')), `${script}: ${command}`);
    t.ok(command.includes(`http://picket.internal:8080/install/${script}`));
    t.ok(command.includes(`--token ${token}`));
  }
  t.match(controlPlane.output(), /PICKET_PUBLIC_URL is plain http/, 'the operator is warned at start');
});
