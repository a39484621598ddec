/** Returns the text quoted as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the text as one word of a POSIX shell, quoted only if it has to be. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_/:.@%+,-]+$/.test(text) ? text : shellQuote(text);
}
