/** Characters of external text (a keyword, a header, a name) that a message quotes. */
const QUOTE_CHARACTERS_MAX = 80;

/** Returns a text like `850 ms`, `12.3 s`, `15 min` or `7 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** Returns a text like `192.0.2.1:443` or `[2001:db8::1]:443`. */
export function endpoint(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Returns external text for a message: in quotes, shortened and without control characters. */
export function quoted(text: string): string {
  const shown = text.length > QUOTE_CHARACTERS_MAX ? `${text.slice(0, QUOTE_CHARACTERS_MAX)}…` : text;
  return `"${printable(shown)}"`;
}

/** Returns the text with `·` instead of control characters and lone surrogates. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '·');
}
