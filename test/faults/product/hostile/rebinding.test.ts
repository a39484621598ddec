import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { hasAddress, runInOwnNetwork } from '../../../helpers/machine/own-network.js';
import { temporaryFolder } from '../../../helpers/machine/temporary-folder.js';
import { checkNew, checkNow, RESULT_AFTER_TIMEOUT_MS, type ShownResult } from '../../../helpers/probe/check-now.js';
import { answerBytes, answering, pathOf, startTarget, type Target } from '../../../helpers/probe/targets.js';
import { startDnsServer } from '../../../helpers/probe/targets-dns.js';
import { connectedProbe, joinToken } from '../../../helpers/processes/joined-probe.js';
import { type Product, startProduct } from '../../../helpers/processes/product.js';

/** The metadata service of clouds, which has their credentials. */
const METADATA = '169.254.169.254';
const METADATA_SIX = 'fd00:ec2::254';
/** The address of a site on the internet. In the network of this test it leads to this machine. */
const PUBLIC = '1.2.3.4';
const TIMEOUT_MS = 3_000;
const END_MS_MAX = 1_000;

/** A site that may be checked, and traps on its port at the addresses that may not be reached. */
interface Scene {
  product: Product;
  port: number;
  site: Target;
  traps: Target[];
}

/**
 * The control plane allows private targets and the probe does not, so that the probe has to block them. The name
 * server changes its answers.
 */
async function scene(t: Test): Promise<Scene> {
  const site = await startTarget((socket, request) => {
    const [, kind = '', host = ''] = pathOf(request).split('/');
    const location = `http://${decodeURIComponent(host)}:${site.port}/latest/meta-data/`;
    socket.end(
      kind === 'to' ? answerBytes('', { status: '302 Found', headers: { location } }) : answerBytes('a public page'),
    );
  }, PUBLIC);
  const traps = await Promise.all(
    [METADATA, METADATA_SIX, '127.0.0.1'].map((address) => startTarget(answering('secret'), address, site.port)),
  );
  const dns = await startDnsServer((name, _type, before) => {
    if (name.startsWith('later')) return [before === 0 ? PUBLIC : METADATA];
    if (name.startsWith('private-six')) return [METADATA_SIX];
    if (name.startsWith('mixed')) return [PUBLIC, METADATA];
    return name.startsWith('private') ? [METADATA] : [PUBLIC];
  });
  const product = await startProduct({ PICKET_LOCATIONS: '' });
  const probe = await connectedProbe(product, temporaryFolder(t), {
    PICKET_JOIN_TOKEN: await joinToken(product),
    PICKET_ALLOW_PRIVATE_TARGETS: '0',
    PICKET_PROBE_DNS_SERVERS: dns.address,
  });
  t.teardown(async () => {
    await probe.kill('SIGTERM');
    await product.remove();
    for (const each of [site, ...traps, dns]) await each.close();
  });
  return { product, port: site.port, site, traps };
}

function expectBlocked(t: Test, what: string, { result, tookMs }: { result: ShownResult; tookMs: number }): void {
  t.equal(result.error?.code, 'blocked_target', `${what}: ${result.error?.message ?? 'up'}`);
  t.ok(result.response_time_ms < TIMEOUT_MS + END_MS_MAX, `${what}: ended after ${result.response_time_ms} ms`);
  t.ok(tookMs < TIMEOUT_MS + RESULT_AFTER_TIMEOUT_MS, `${what}: visible after ${Math.round(tookMs)} ms`);
}

/** Adds the milliseconds until the API showed the result. */
async function timed<T>(check: () => Promise<T>): Promise<T & { tookMs: number }> {
  const startedMs = performance.now();
  return { ...(await check()), tookMs: performance.now() - startedMs };
}

async function rebinding(t: Test): Promise<void> {
  const { product, port, site, traps } = await scene(t);
  const withinMs = TIMEOUT_MS + 10_000;
  const check = (settings: object) => timed(() => checkNew(product, { timeout_ms: TIMEOUT_MS, ...settings }, withinMs));

  const good = await check({ url: `http://good.test:${port}/` });
  t.same([good.result.status, good.result.error], ['up', null], 'a public target is checked');

  for (const [type, url] of [
    ['http', `http://later-http.test:${port}/`],
    ['tcp', `later-tcp.test:${port}`],
    ['ping', 'later-ping.test'],
  ]) {
    const first = await check({ type, url });
    t.equal(first.result.status, 'up', `${type}: a public address of the name is checked`);
    const again = await timed(async () => ({ result: await checkNow(product, first.id, withinMs) }));
    expectBlocked(t, `${type}: the name has a private address now`, again);
  }

  const reached = site.connections();
  expectBlocked(
    t,
    'the name gets a private address between two hops of one check',
    await check({ url: `http://later-hop.test:${port}/to/later-hop.test` }),
  );
  t.equal(site.connections(), reached + 1, 'its first hop was requested');

  const metadata = [METADATA, `[${METADATA_SIX}]`, `[::ffff:${METADATA}]`, '2852039166'];
  for (const host of metadata) {
    const refused = check({ url: `http://${host}:${port}/` });
    await t.rejects(refused, /422.*cloud metadata address/, 'the control plane refuses it, whatever it allows');
  }
  const literals = ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433'];
  for (const host of ['mixed.test', 'private.test', 'private-six.test', ...literals]) {
    expectBlocked(t, host, await check({ url: `http://${host}:${port}/` }));
    expectBlocked(t, `${host}, tcp`, await check({ type: 'tcp', url: `${host}:${port}` }));
  }
  t.equal(site.connections(), reached + 1, 'a name with a public and a private address is not requested');
  for (const host of ['mixed.test', ...metadata, ...literals]) {
    const url = `http://${PUBLIC}:${port}/to/${encodeURIComponent(host)}`;
    expectBlocked(t, `a redirect to ${host}`, await check({ url }));
  }
  t.same(
    traps.map((trap) => trap.connections()),
    traps.map(() => 0),
    'there was no connection to a forbidden address',
  );
}

if (hasAddress(METADATA)) t.test('no name and no redirect leads a probe to a private address', rebinding);
else await runInOwnNetwork(t, fileURLToPath(import.meta.url), [PUBLIC, METADATA, METADATA_SIX]);
