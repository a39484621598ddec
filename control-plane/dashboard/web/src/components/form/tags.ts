/** A tag in quotes, in which a doubled quote is one quote, or a text without commas. */
const TAG = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g;

/** Returns tags as one text, separated by commas; a tag that itself has a comma is in quotes. Pure. */
export function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => (/^"|,/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ');
}

/** Returns the tags of a text in which they are separated by commas, without blanks and doubles. Pure. */
export function tagsOf(text: string): string[] {
  const tags = [...text.matchAll(TAG)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
  return [...new Set(tags)].filter((tag) => tag !== '');
}
