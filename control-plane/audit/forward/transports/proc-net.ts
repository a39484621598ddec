/** Returns the longest send queue of the connections between these ports; null if there is no such connection. */
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
