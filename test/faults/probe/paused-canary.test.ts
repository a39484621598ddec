import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { plane, probe, site } from '../../helpers/probe/setup.js';
import { waitFor } from '../../helpers/wait.js';

const RESPONSE_MS = 2_000;
/** Longer than a check of a canary target may take. */
const PAUSE_MS = 6_000;

t.test('a probe that was paused during a check of its canaries does not call its network broken', async (t) => {
  const target = await site(t, RESPONSE_MS);
  const control = await plane(t);
  control.script.welcome = { ...control.script.welcome, canaryTargets: [target.url] };
  const running = probe(t, ['--join', control.joinToken('secret'), '--data', temporaryFolder(t)]);
  await waitFor('a check under way', 20_000, () => target.total() === 1, 5);
  running.child.kill('SIGSTOP');
  // The pause is what is tested: the response arrives and the timeout elapses while the probe does not run.
  await sleep(PAUSE_MS);
  running.child.kill('SIGCONT');
  await waitFor('the repeat of the check', 20_000, () => target.total() >= 2, 5);
  const counted = await waitFor('a status after the pause', 20_000, () =>
    control.statuses.find((status) => status.stallsTotal > 0),
  );
  t.ok(counted.stallsTotal >= 1, 'a busy machine may pause it once more');
  t.ok(
    control.statuses.every((status) => status.canaryOk),
    `the network was never called broken: ${control.statuses.map((status) => status.canaryOk)}`,
  );
});
