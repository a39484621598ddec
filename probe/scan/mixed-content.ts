import { printable } from '../checks/format.js';

const RESOURCES_MAX = 10;
const URL_CHARS_MAX = 200;
/** A longer tag is cut. */
const TAG_CHARS_MAX = 4_096;

/** Which attribute of an element loads something, and whether browsers run what it loads. */
const LOADING: ReadonlyMap<string, { attribute: string; active: boolean }> = new Map([
  ['script', { attribute: 'src', active: true }],
  ['iframe', { attribute: 'src', active: true }],
  ['link', { attribute: 'href', active: true }],
  ['object', { attribute: 'data', active: true }],
  ['embed', { attribute: 'src', active: true }],
  ['form', { attribute: 'action', active: true }],
  ['img', { attribute: 'src', active: false }],
  ['audio', { attribute: 'src', active: false }],
  ['video', { attribute: 'src', active: false }],
  ['source', { attribute: 'src', active: false }],
]);

/** Returns what a page loads by http, without queries. Takes time proportional to the page. Pure. */
export function mixedContent(html: string): { active: string[]; passive: string[] } {
  const found = { active: new Set<string>(), passive: new Set<string>() };
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', start + 1)) {
    const name = /^[a-z]{1,10}/i.exec(html.slice(start + 1, start + 12))?.[0].toLowerCase() ?? '';
    const loading = LOADING.get(name);
    if (loading === undefined) continue;
    const end = html.indexOf('>', start);
    if (end < 0) break;
    const tag = html.slice(start, Math.min(end, start + TAG_CHARS_MAX));
    const url = httpUrlIn(tag, loading.attribute);
    // A link is loaded only as a style sheet: a canonical address is no resource.
    const isLoaded = name !== 'link' || /\srel\s*=\s*["']?[^"'>]{0,40}stylesheet/i.test(tag);
    const into = loading.active ? found.active : found.passive;
    if (url !== null && isLoaded && into.size < RESOURCES_MAX) into.add(url);
    start = end;
  }
  return { active: [...found.active], passive: [...found.passive] };
}

function httpUrlIn(tag: string, attribute: string): string | null {
  const match = new RegExp(`\\s${attribute}\\s*=\\s*["']?(http://[^\\s"'?#>]{1,${URL_CHARS_MAX}})`, 'i').exec(tag);
  return match?.[1] === undefined ? null : printable(match[1]);
}
