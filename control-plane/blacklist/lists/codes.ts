/** A range of codes as numbers; `from` and `to` are equal for a single code. */
export interface CodeRange {
  from: number;
  to: number;
}

/** Returns an IPv4 address as a number; null for any other text. */
export function codeNumber(address: string): number | null {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) <= 255)) return null;
  return octets.reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

/** Parses `127.0.0.4` or `127.0.0.4-127.0.0.7`; null if it is neither, is reversed or leaves 127.0.0.0/8. */
export function parseCodes(text: string): CodeRange | null {
  const [first = '', last = first, more] = text.split('-');
  const from = codeNumber(first);
  const to = codeNumber(last);
  if (more !== undefined || from === null || to === null || from > to) return null;
  return isLoopback(from) && isLoopback(to) ? { from, to } : null;
}

export function isWithin({ from, to }: CodeRange, code: number): boolean {
  return from <= code && code <= to;
}

export function overlap(a: CodeRange, b: CodeRange): boolean {
  return a.from <= b.to && b.from <= a.to;
}

/**
 * Returns whether a code is within 127.0.0.0/8, as the answers of all lists are. Other answers come from a resolver
 * that rewrites responses.
 */
export function isLoopback(code: number): boolean {
  return Math.floor(code / 2 ** 24) === 127;
}
