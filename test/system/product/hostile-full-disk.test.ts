import t from 'tap';
import { smallDisk } from '../../helpers/machine/small-disk.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { type CountedSite, countedSite, type SeenRequest } from '../../helpers/processes/counted-site.js';
import { connectedProbe, joinToken } from '../../helpers/processes/joined-probe.js';
import type { ProbeProcess } from '../../helpers/processes/probe-process.js';
import { type Product, startProduct } from '../../helpers/processes/product.js';
import { compare, storedResults } from '../../helpers/results/stored-results.js';
import { waitFor } from '../../helpers/wait.js';

/** Room for some 150 results beside the probe's credential. */
const DISK_KIB = 48;
const MONITORS = 100;
const INTERVAL_SECONDS = 10;
/** Late by this much is still on schedule, on a busy machine. */
const LATE_MS_MAX = 5_000;
/** One check may overtake another by this much between the site and the spool. */
const OVERTAKING_MS_MAX = 1_000;
const FIRST_CHECKS_MS = 30_000;
const FULL_MS = 60_000;

t.test('a probe on a full disk goes on checking, drops the oldest and counts each one', async (t) => {
  const site = await countedSite();
  const disk = await smallDisk(DISK_KIB);
  const product = await startProduct({ PICKET_LOCATIONS: '' });
  const proxy = await tcpProxy(product.grpcPort);
  let probe: ProbeProcess | null = null;
  t.teardown(async () => {
    await probe?.kill('SIGKILL');
    await proxy.close();
    await product.remove();
    await disk.remove();
    await site.close();
  });
  const token = await joinToken(product, `127.0.0.1:${proxy.port}`);
  probe = await connectedProbe(product, disk.path, { PICKET_JOIN_TOKEN: token }, disk.within);
  const ids = await importMonitors(product, site);
  await waitFor('every monitor was checked', FIRST_CHECKS_MS, () => site.seen.length >= MONITORS);

  // Acknowledgements still arrive, so no result is both stored here and dropped there as never acknowledged.
  proxy.deafen();
  const cutOffAtMs = Date.now();
  const { output } = probe;
  await waitFor('the disk is full', FULL_MS, () => /dropping the oldest records/.test(output()));
  disk.fill();
  const atFull = site.seen.length;
  await waitFor('checks go on', FULL_MS, () => site.seen.length >= atFull + MONITORS);
  t.equal(await probe.kill('SIGTERM'), 0, 'it ends in good order');
  const stopped = lastWords(probe);
  t.ok(stopped.dropped_total > MONITORS / 2, `${stopped.dropped_total} results were dropped`);
  t.ok(stopped.undelivered > 0, `${stopped.undelivered} results are on the disk`);
  t.ok(longestPauseMs(site) < INTERVAL_SECONDS * 1000 + LATE_MS_MAX, `longest pause ${longestPauseMs(site)} ms`);

  // Drained, so that nothing is added to what is on the disk before that is delivered.
  await setDrained(product, true);
  proxy.heal();
  disk.fill();
  probe = await connectedProbe(product, disk.path, {}, disk.within);
  const told = await waitFor('all that was kept is delivered', FIRST_CHECKS_MS, async () => {
    const now = await shown(product);
    return now.connected && now.spool_records === 0 && now.dropped_total > 0 ? now : null;
  });
  t.equal(told.dropped_total, stopped.dropped_total, 'operators see how many were dropped');

  disk.fill();
  await setDrained(product, false);
  const before = site.seen.length;
  await waitFor('checks again', FIRST_CHECKS_MS, () => site.seen.length >= before + MONITORS / 2);
  t.equal(await probe.kill('SIGTERM'), 0, 'it ends in good order again');
  t.match(
    lastWords(probe),
    { undelivered: 0, dropped_total: stopped.dropped_total },
    'a full disk alone costs nothing',
  );

  const lost: SeenRequest[] = [];
  let paired = 0;
  for (const [index, id] of ids.entries()) {
    const own = site.seen.filter((request) => request.path === `/${index}`);
    const result = compare(own, await storedResults(product, id), Date.now());
    t.same(result.invented, [], `monitor ${index}: every stored result was a real check`);
    paired += result.paired;
    lost.push(...result.lost);
  }
  t.equal(lost.length, stopped.dropped_total, 'each check is stored or was counted as dropped');
  t.equal(site.seen.length, paired + stopped.dropped_total, 'and none is both');
  const newestLostMs = Math.max(...lost.map(({ atMs }) => atMs));
  const kept = site.seen.filter((request) => request.atMs > cutOffAtMs && !lost.includes(request));
  const overtaken = kept.filter(({ atMs }) => atMs < newestLostMs - OVERTAKING_MS_MAX);
  t.same(overtaken, [], 'what was dropped is older than all that was kept');
});

/** Creates the monitors in one request; gives their ids, that of `/<index>` at its index. */
async function importMonitors(product: Product, site: CountedSite): Promise<string[]> {
  const monitors = Array.from({ length: MONITORS }, (_, index) => ({
    name: `site ${index}`,
    type: 'http',
    url: `${site.url}/${index}`,
    interval_seconds: INTERVAL_SECONDS,
    locations: ['fra'],
  }));
  const { status, body } = await product.api('POST', '/v1/monitors/import', { version: 1, monitors });
  if (status !== 200) throw new Error(`import answered ${status}: ${JSON.stringify(body)}`);
  return body.data.monitors.map((monitor: { id: string }) => monitor.id);
}

interface ShownProbe {
  id: string;
  connected: boolean;
  spool_records: number;
  dropped_total: number;
}

/** The one probe as operators see it. */
async function shown(product: Product): Promise<ShownProbe> {
  return (await product.api('GET', '/v1/admin/probes')).body.data[0];
}

async function setDrained(product: Product, drained: boolean): Promise<void> {
  const { id } = await shown(product);
  const { status } = await product.api('PATCH', `/v1/admin/probes/${id}`, { drained });
  if (status !== 200) throw new Error(`drain answered ${status}`);
}

/** What a probe logs when it has ended in good order. */
function lastWords(probe: ProbeProcess): { undelivered: number; dropped_total: number } {
  const line = probe.output().trim().split('\n').at(-1) ?? '';
  return JSON.parse(line);
}

/** The longest time between two checks of the same monitor. */
function longestPauseMs(site: CountedSite): number {
  const last = new Map<string, number>();
  let longest = 0;
  for (const { path, atMs } of site.seen) {
    longest = Math.max(longest, atMs - (last.get(path) ?? atMs));
    last.set(path, atMs);
  }
  return longest;
}
