/** Codes from one to another, as numbers; of a single one the two are the same. */
export interface CodeRange {
  from: number;
  to: number;
}

/** An IPv4 address as a number; null for anything else. */
export function codeNumber(address: string): number | null {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) <= 255)) return null;
  return octets.reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

/** `127.0.0.4` or `127.0.0.4-127.0.0.7`; null when it is neither, runs backwards or leaves 127.0.0.0/8. */
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

/** Answers of lists are within 127.0.0.0/8; anything else comes from somebody in between. */
export function isLoopback(code: number): boolean {
  return Math.floor(code / 2 ** 24) === 127;
}
