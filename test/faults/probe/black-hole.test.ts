import t from 'tap';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { http, plane, probe, site } from '../../helpers/probe/setup.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a probe notices a black hole within 25 s, continues its checks and loses no result', async (t) => {
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
  await waitFor('the probe to notice', 30_000, () => /disconnected/.test(running.output()));
  const noticedMs = performance.now() - since;
  t.ok(noticedMs < 25_000, `after ${Math.round(noticedMs)} ms`);
  t.ok(target.total() - before > (noticedMs / 1000) * 2 - 4, 'the checks continued');
  proxy.heal();
  await waitFor('a new stream', 40_000, () => control.sessions.length >= 2);
  // A probe that stops before its new stream is welcomed leaves its results on disk, as intended.
  const waited = target.total();
  await waitFor('the waiting results', 20_000, () => control.stored.size >= waited);
  t.equal(await running.kill('SIGTERM'), 0);
  t.equal(control.stored.size, target.total());
  t.strictSame(control.conflicts, []);
  t.match(running.output(), /"undelivered":0/);
});
