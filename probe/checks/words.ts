/** Longest piece of foreign text (a keyword, a header, a name) that is quoted in a message. */
const QUOTE_CHARACTERS_MAX = 80;

/** `850 ms`, `12.3 s`, `15 min` or `7 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** `192.0.2.1:443` or `[2001:db8::1]:443`. */
export function endpoint(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Foreign text in quotes, shortened and without control characters, safe to stand in a message. */
export function quoted(text: string): string {
  const shown = text.length > QUOTE_CHARACTERS_MAX ? `${text.slice(0, QUOTE_CHARACTERS_MAX)}…` : text;
  return `"${printable(shown)}"`;
}

/** The text with control characters and lone surrogates made visible as `·`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '·');
}
