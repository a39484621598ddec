import type { Judgement } from './judgement.js';

/**
 * Returns whether a page shows the version of WordPress: as the generator, or in the address of a file of WordPress. The plugin
 * has the same function; `test/helpers/wordpress/vectors.json` has examples of both.
 */
function showsVersion(body: string, version: string): boolean {
  const quoted = version.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const generator = `(?:WordPress[ /]|wordpress\\.org/\\?v=)${quoted}(?![\\d.])`;
  const file = `wp-(?:includes|admin)/[^"'\\s<>]*[?&;]ver=${quoted}(?![\\d.])`;
  return new RegExp(`${generator}|${file}`, 'i').test(body);
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
