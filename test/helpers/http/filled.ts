/** The largest body that the API reads. */
export const BODY_BYTES = 1024 * 1024;

/** Returns a text of about 1 MiB: the parts, as often as they fit. */
export function filled(open: string, part: (index: number) => string, close: string): string {
  const parts: string[] = [];
  for (let bytes = open.length + close.length, index = 0; ; index++) {
    const next = part(index);
    bytes += next.length + 1;
    if (bytes > BODY_BYTES) break;
    parts.push(next);
  }
  return open + parts.join(',') + close;
}
