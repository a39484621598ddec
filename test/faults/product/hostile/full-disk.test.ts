import t from 'tap';
import { smallDisk } from '../../../helpers/machine/small-disk.js';
import { tcpProxy } from '../../../helpers/machine/tcp-proxy.js';
import { type CountedSite, countedSite, type SeenRequest } from '../../../helpers/processes/counted-site.js';
import { connectedProbe, joinToken } from '../../../helpers/processes/joined-probe.js';
import type { NodeProcess } from '../../../helpers/processes/node-process.js';
import { type Product, startProduct } from '../../../helpers/processes/product.js';
import { compare, storedResults } from '../../../helpers/results/stored-results.js';
import { waitFor } from '../../../helpers/wait.js';

/** Space for about 150 results and the credential of the probe. */
const DISK_KIB = 48;
const MONITORS = 100;
const INTERVAL_SECONDS = 10;
/** The highest lateness of a check on a busy machine. */
const LATE_MS_MAX = 5_000;
/** The highest difference between the order at the site and the order in the spool. */
const OVERTAKING_MS_MAX = 1_000;
const FIRST_CHECKS_MS = 30_000;
const FULL_MS = 60_000;

t.test('a probe on a full disk continues its checks, drops the oldest results and counts them', async (t) => {
  const site = await countedSite();
  const disk = await smallDisk(DISK_KIB);
  const product = await startProduct({ PICKET_LOCATIONS: '' });
  const proxy = await tcpProxy(product.grpcPort);
  let probe: NodeProcess | null = null;
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
  await waitFor('a check of every monitor', FIRST_CHECKS_MS, () => site.seen.length >= MONITORS);

  // Acknowledgements still arrive, so no result is stored by the control plane and also dropped by the probe.
  proxy.deafen();
  const cutOffAtMs = Date.now();
  const { output } = probe;
  await waitFor('the disk to be full', FULL_MS, () => /dropping the oldest records/.test(output()));
  disk.fill();
  const atFull = site.seen.length;
  await waitFor('more checks', FULL_MS, () => site.seen.length >= atFull + MONITORS);
  t.equal(await probe.kill('SIGTERM'), 0, 'it stops cleanly');
  const stopped = lastLogLine(probe);
  t.ok(stopped.dropped_total > MONITORS / 2, `${stopped.dropped_total} results were dropped`);
  t.ok(stopped.undelivered > 0, `${stopped.undelivered} results are on the disk`);
  t.ok(
    longestGapMs(site) < INTERVAL_SECONDS * 1000 + LATE_MS_MAX,
    `longest time between two checks: ${longestGapMs(site)} ms`,
  );

  // The probe is drained, so that it delivers the results on the disk before it adds new ones.
  await setDrained(product, true);
  proxy.heal();
  disk.fill();
  probe = await connectedProbe(product, disk.path, {}, disk.within);
  const emptied = await waitFor('the kept results to be delivered', FIRST_CHECKS_MS, async () => {
    const now = await shown(product);
    return now.connected && now.spool_records === 0 && now.dropped_total > 0 ? now : null;
  });
  t.equal(emptied.dropped_total, stopped.dropped_total, 'operators see the number of dropped results');

  disk.fill();
  await setDrained(product, false);
  const before = site.seen.length;
  await waitFor('checks again', FIRST_CHECKS_MS, () => site.seen.length >= before + MONITORS / 2);
  t.equal(await probe.kill('SIGTERM'), 0, 'it stops cleanly again');
  t.match(
    lastLogLine(probe),
    { undelivered: 0, dropped_total: stopped.dropped_total },
    'a full disk alone loses no result',
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
  t.equal(lost.length, stopped.dropped_total, 'each check is stored or counted as dropped');
  t.equal(site.seen.length, paired + stopped.dropped_total, 'no check is both');
  const newestLostMs = Math.max(...lost.map(({ atMs }) => atMs));
  const kept = site.seen.filter((request) => request.atMs > cutOffAtMs && !lost.includes(request));
  const overtaken = kept.filter(({ atMs }) => atMs < newestLostMs - OVERTAKING_MS_MAX);
  t.same(overtaken, [], 'the dropped results are older than the kept ones');
});

/** Creates the monitors in one request. Returns their IDs in the order of the paths `/<index>`. */
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

/** Returns the probe as operators see it. */
async function shown(product: Product): Promise<ShownProbe> {
  return (await product.api('GET', '/v1/admin/probes')).body.data[0];
}

async function setDrained(product: Product, drained: boolean): Promise<void> {
  const { id } = await shown(product);
  const { status } = await product.api('PATCH', `/v1/admin/probes/${id}`, { drained });
  if (status !== 200) throw new Error(`drain answered ${status}`);
}

/** Returns the last log line of a probe that stopped cleanly. */
function lastLogLine(probe: NodeProcess): { undelivered: number; dropped_total: number } {
  const line = probe.output().trim().split('\n').at(-1) ?? '';
  return JSON.parse(line);
}

/** Returns the longest time between two checks of the same monitor. */
function longestGapMs(site: CountedSite): number {
  const last = new Map<string, number>();
  let longest = 0;
  for (const { path, atMs } of site.seen) {
    longest = Math.max(longest, atMs - (last.get(path) ?? atMs));
    last.set(path, atMs);
  }
  return longest;
}
