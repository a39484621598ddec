/** Public pages are below this path. */
export const STATUS_PATH = '/status';

/** Returns the path of a page. */
export function pagePath(slug: string): string {
  return `${STATUS_PATH}/${slug}`;
}
