/** Removes control characters from text of unknown origin and truncates it, so that it is safe to display. */
export function printable(text: string, charsMax: number): string {
  return text.replace(/\p{C}/gu, '').slice(0, charsMax);
}
