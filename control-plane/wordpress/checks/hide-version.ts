import type { Judgement } from './judgement.js';

/**
 * Returns whether a page shows the version of WordPress: as the generator, or in the address of a file of WordPress. The plugin
 * has the same function; `test/helpers/wordpress/vectors.json` has examples of both.
 */
function showsVersion(body: string, version: string): boolean {
  const quoted = version.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const generator = new RegExp(`(?:WordPress[ /]|wordpress\\.org/\\?v=)${quoted}(?![\\d.])`, 'i');
  const ofFile = new RegExp(`[?&;]ver=${quoted}(?![\\d.])`, 'i');
  // Word by word, because one expression for both halves of an address takes time with the square of a hostile page.
  return generator.test(body) || body.split(/["'\s<>]+/).some((word) => ofFile.test(afterFolder(word)));
}

/** Returns what follows the folder of WordPress in an address; an empty text for another address. */
function afterFolder(word: string): string {
  const at = word.search(/wp-(?:includes|admin)\//i);
  return at < 0 ? '' : word.slice(at);
}

/** Returns what pages say of the version. The first one is the home page. */
export function judgeVersion(
  pages: readonly [{ name: string; status: number; body: string }, ...{ name: string; status: number; body: string }[]],
  version: string,
): Judgement {
  if (version === '') return { status: 'unknown', evidence: 'the version of WordPress is not known' };
  const shown = pages.filter(({ body }) => showsVersion(body, version)).map(({ name }) => name);
  if (shown.length > 0) return { status: 'failing', evidence: `the version of WordPress is in ${shown.join(', ')}` };
  const [home] = pages;
  return home.status === 200
    ? { status: 'passing', evidence: 'no page shows the version of WordPress' }
    : { status: 'unknown', evidence: `the home page answers with HTTP ${home.status}` };
}
