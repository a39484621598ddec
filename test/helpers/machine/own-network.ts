import { networkInterfaces } from 'node:os';
import type { Test } from 'tap';

/** Returns whether this process runs in a network that `runInOwnNetwork` made with this address. */
export function hasAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));
}

/**
 * Runs a test file once more as a subtest, in a network namespace in which only loopback exists and has these
 * addresses, so that they all lead to this machine. For an ordinary user it also makes a user namespace.
 */
export async function runInOwnNetwork(t: Test, file: string, addresses: readonly string[]): Promise<void> {
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const setUp = ['ip link set lo up', ...addresses.map((address) => `ip addr add ${address} dev lo`)].join(' && ');
  const script = `${setUp} && exec "$0" "$@"`;
  const node = [process.execPath, ...process.execArgv, file];
  await t.spawn('unshare', [...asUser, '--net', 'sh', '-c', script, ...node], {}, 'in a network of its own');
}
