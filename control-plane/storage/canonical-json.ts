import canonicalize from 'canonicalize';

/**
 * Returns the value as RFC 8785 JSON: equal values give equal text, in whatever order their fields were set. NaN and
 * infinity, which RFC 8785 refuses, become null as in ordinary JSON: `1e999` in a JSON text parses to infinity.
 */
export function canonicalJson(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return canonicalize(JSON.parse(JSON.stringify(value))) ?? 'null';
  }
}
