import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { queuedBytes } from './proc-net.js';

/**
 * Returns how many bytes of a connection the other end has not acknowledged, from Linux's `/proc/net/tcp` because
 * Node.js has no API for it. null if the number is unknown.
 */
export async function unacknowledgedBytes(socket: Socket): Promise<number | null> {
  const { localPort, remotePort, remoteFamily } = socket;
  if (localPort === undefined || remotePort === undefined) return null;
  const table = await readFile(remoteFamily === 'IPv6' ? '/proc/self/net/tcp6' : '/proc/self/net/tcp', 'latin1').catch(
    // Not Linux.
    () => null,
  );
  return table === null ? null : queuedBytes(table, localPort, remotePort);
}
