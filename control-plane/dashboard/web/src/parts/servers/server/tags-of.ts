/** Returns the tags of a text with commas, without blanks and doubles. Pure. */
export function tagsOf(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
