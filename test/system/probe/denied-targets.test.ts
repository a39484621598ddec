import t from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { http, plane, probe, site } from '../../helpers/probe/setup.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a probe connects to no target in PICKET_DENY_TARGETS, nor to metadata of a cloud', async (t) => {
  const target = await site(t);
  const { port } = new URL(target.url);
  const control = await plane(t);
  control.script.assignments = [
    http('mon_free', `${target.url}/free`),
    http('mon_denied', `http://127.0.0.2:${port}/denied`),
    http('mon_metadata', 'http://169.254.169.254/latest/meta-data/'),
  ];
  const settings = { PICKET_DENY_TARGETS: '127.0.0.2/31' };
  const running = probe(t, ['--join', control.joinToken('secret'), '--data', temporaryFolder(t)], settings);
  const resultOf = (id: string) =>
    waitFor(`a result of ${id}`, 60_000, () => control.results().find(({ monitorId }) => monitorId === id));
  t.equal((await resultOf('mon_free')).up, true, 'private targets are allowed');
  for (const [id, host, refusal] of [
    ['mon_denied', '127.0.0.2', '127.0.0.2 is in a network that this installation denies'],
    ['mon_metadata', '169.254.169.254', '169.254.169.254 is a cloud metadata address'],
  ] as const) {
    const errorMessage = `"${host}" points to an address that is not allowed`;
    t.match(await resultOf(id), { up: false, errorCode: 'blocked_target', errorMessage });
    await waitFor(`the refusal of ${id} in the log of the probe`, 60_000, () => running.output().includes(refusal));
  }
});
