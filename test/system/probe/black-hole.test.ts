import t from 'tap';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { http, plane, probe, site } from '../../helpers/probe/probe-scene.js';
import { temporaryFolder } from '../../helpers/processes/probe-process.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a black hole to the control plane is noticed within 25 s, checks go on, and nothing is lost', async (t) => {
  const target = await site(t);
  const control = await plane(t);
  const proxy = await tcpProxy(control.port);
  t.teardown(() => proxy.close());
  control.script.assignments = [http('mon_a', `${target.url}/a`), http('mon_b', `${target.url}/b`, { phaseMs: 500 })];
  const running = probe(t, [
    '--join',
    control.joinToken('secret', `127.0.0.1:${proxy.port}`),
    '--data',
    temporaryFolder(t),
  ]);
  await waitFor('results', 20_000, () => control.stored.size >= 4);
  proxy.blackHole();
  const since = performance.now();
  const before = target.total();
  await waitFor('that it is noticed', 30_000, () => /disconnected/.test(running.output()));
  const noticedMs = performance.now() - since;
  t.ok(noticedMs < 25_000, `after ${Math.round(noticedMs)} ms`);
  t.ok(target.total() - before > (noticedMs / 1000) * 2 - 4, 'checks went on');
  proxy.heal();
  await waitFor('a new stream', 40_000, () => control.sessions.length >= 2);
  // A probe that is stopped before it knows of its new stream leaves what waits on disk, and rightly so.
  const waited = target.total();
  await waitFor('what waited', 20_000, () => control.stored.size >= waited);
  t.equal(await running.kill('SIGTERM'), 0);
  t.equal(control.stored.size, target.total());
  t.strictSame(control.conflicts, []);
  t.match(running.output(), /"undelivered":0/);
});
