/** The host of a URL has no separator; its path and its query may have some. */
const WEB_URL = /^https?:\/\/[^\s/?#,;]+(?:[/?#]\S*)?$/i;
const NEXT_URL = /[,;]https?:\/\//i;

/** Returns whether a text is one URL of a web page, though it may have commas and semicolons, and no list. Pure. */
export function isOneUrl(text: string): boolean {
  return WEB_URL.test(text) && !NEXT_URL.test(text);
}
