import { CheckFailure } from '../checks/outcome.js';
import type { ScanClient } from './client.js';

/** What `http://` of an https website does; empty if it was not asked. */
export type PlainHttp = 'redirects' | 'serves' | 'closed' | 'unknown' | '';

/** Asks for the first page without TLS. Only on the default port is it known where that would be. */
export async function readPlainHttp(client: ScanClient, page: URL): Promise<PlainHttp> {
  if (page.protocol !== 'https:' || page.port !== '') return '';
  const url = new URL('/', page);
  url.protocol = 'http:';
  try {
    const { head } = await client.get(url, 0);
    const location = head.headers.get('location');
    if (location === undefined || head.status < 300 || head.status > 399) return 'serves';
    return URL.canParse(location, url.href) && new URL(location, url.href).protocol === 'https:'
      ? 'redirects'
      : 'serves';
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return error.code === 'connection_refused' ? 'closed' : 'unknown';
  }
}
