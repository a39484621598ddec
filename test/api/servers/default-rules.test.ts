import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { enrolNode } from '../../helpers/node-link/fake-node.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

const CLI = fileURLToPath(new URL('../../../build/control-plane/cli.js', import.meta.url));
const run = promisify(execFile);

t.test('a server that enrols with a token of the command line gets the default rules', async (t) => {
  const mongo = await testDatabase();
  const controlPlane = await startControlPlane(mongo.uri);
  t.teardown(async () => {
    await controlPlane.remove();
    await mongo.drop();
  });
  const env = { PATH: process.env['PATH'] ?? '', ...controlPlane.env };
  const { stdout } = await run(process.execPath, [CLI, 'join-token', '--server', '--server'], { env });
  const tokens = stdout.split('\n').map((line) => line.split(' ')[1] ?? '');
  const rules = mongo.db.collection('alert_rules');
  t.equal(await rules.countDocuments(), 0, 'a token is not a server yet');

  const first = await enrolNode(tokens[0] ?? '');
  const stored = await rules.find().sort({ name: 1 }).toArray();
  t.match(stored, [{ type: 'disk_full' }, { type: 'server_offline', enabled: true }]);
  const entries = mongo.db.collection('audit_log').find({ action: 'alert_rule.created' });
  t.match(await entries.toArray(), [{ actor: { email: 'system' } }, { actor: { email: 'system' } }]);

  const second = await enrolNode(tokens[1] ?? '');
  t.not(second.id, first.id);
  t.equal((await controlPlane.api('POST', '/v1/servers/join-tokens')).status, 201);
  t.equal(await rules.countDocuments(), 2, 'once for a workspace');
});
