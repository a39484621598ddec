import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * Bytes of a connection that its other end has not acknowledged, as Linux counts them in `/proc/net/tcp`: Node has no
 * word for it. null when that cannot be told.
 */
export async function unacknowledgedBytes(socket: Socket): Promise<number | null> {
  const { localPort, remotePort, remoteFamily } = socket;
  if (localPort === undefined || remotePort === undefined) return null;
  const table = await readFile(remoteFamily === 'IPv6' ? '/proc/self/net/tcp6' : '/proc/self/net/tcp', 'latin1').catch(
    // Another system than Linux.
    () => null,
  );
  return table === null ? null : queuedBytes(table, localPort, remotePort);
}

/** The send queue of the connections between these ports; the longest where addresses differ; null where none is. */
export function queuedBytes(table: string, localPort: number, remotePort: number): number | null {
  const row = new RegExp(
    `^ *\\d+: [0-9A-F]+:${hexPort(localPort)} [0-9A-F]+:${hexPort(remotePort)} [0-9A-F]{2} ([0-9A-F]{8}):`,
    'gm',
  );
  let longest: number | null = null;
  for (const match of table.matchAll(row)) longest = Math.max(longest ?? 0, Number.parseInt(match[1] ?? '0', 16));
  return longest;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
