import { waitFor } from '../wait.js';
import { type NodeProcess, startNodeProcess } from './node-process.js';
import type { Product } from './product.js';

/** Creates a join token for Frankfurt with the API. A probe connects to `address`, by default to the product. */
export async function joinToken(product: Product, address: string | null = null): Promise<string> {
  const { status, body } = await product.api('POST', '/v1/admin/probes/join-tokens', { location: 'fra' });
  if (status !== 201) throw new Error(`join-tokens answered ${status}: ${JSON.stringify(body)}`);
  const token: string = body.data.token;
  return address === null ? token : withAddresses(token, address);
}

/** Returns the join token with other addresses of control planes, separated by commas. */
export function withAddresses(token: string, addresses: string): string {
  const fields = JSON.parse(Buffer.from(token.slice('pjt_'.length), 'base64url').toString());
  return `pjt_${Buffer.from(JSON.stringify({ ...fields, a: addresses })).toString('base64url')}`;
}

/** Starts a probe and waits until it is connected to a product that has no other probe. */
export async function connectedProbe(
  product: Product,
  dataDir: string,
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<NodeProcess> {
  const started = startNodeProcess('probe/main.js', ['--data', dataDir], env, within);
  const isReady = async () => (await fetch(`${product.url}/readyz?probes=1`)).ok;
  await waitFor('the probe is connected', 120_000, isReady).catch(async (error: Error) => {
    await started.kill('SIGKILL');
    throw new Error(`${error.message}\n${started.output()}`);
  });
  return started;
}
