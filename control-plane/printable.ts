/** What a stranger says of itself, cut to a length and freed of control characters: it is shown to people. */
export function printable(text: string, charsMax: number): string {
  return text.replace(/\p{C}/gu, '').slice(0, charsMax);
}
