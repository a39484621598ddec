/** Returns the text without line breaks and other control characters, so that it cannot add headers to a mail. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
