const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SLUG_CHARS_MIN = 3;
export const SLUG_CHARS_MAX = 63;

/** What letters become that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
};

/** Returns an address for a title: `muenchen-shop` for `München Shop`; '' if nothing of the title can be in one. Pure. */
export function slugOf(title: string): string {
  const latin = title.toLowerCase().replaceAll(/[äöüßæøł]/g, (letter) => LETTERS[letter] ?? letter);
  const words = latin.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const slug = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS_MAX)
    .replaceAll(/^-|-$/g, '');
  return slug.length < SLUG_CHARS_MIN ? '' : slug;
}

/** Whether the API accepts it, unless another page has it. Pure. */
export function isSlug(text: string): boolean {
  return text.length >= SLUG_CHARS_MIN && text.length <= SLUG_CHARS_MAX && SLUG.test(text);
}
