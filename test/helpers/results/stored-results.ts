import type { SeenRequest } from '../processes/counted-site.js';
import type { Product } from '../processes/product.js';

export interface StoredResult {
  id: string;
  checked_at: string;
  location: string;
  status: 'up' | 'down';
}

/** Returns every stored result of a monitor, from all pages. */
export async function storedResults(product: Pick<Product, 'api'>, monitorId: string): Promise<StoredResult[]> {
  const all: StoredResult[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await product.api('GET', `/v1/monitors/${monitorId}/results?limit=200${next}`);
    if (status !== 200) throw new Error(`results answered ${status}: ${JSON.stringify(body)}`);
    all.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return all;
}

/**
 * The accuracy with which a probe knows the time of the control plane: half of the time that its stream took to open, which
 * is a second or more on a busy machine, until its pings have corrected it.
 */
const CLOCK_SKEW_MS = 1_500;

/** The longest time from the start of a check to its request, on a busy machine. */
const SAME_CHECK_MS = 2_500;

/**
 * Compares the requests of a site with the stored results, both up to `untilMs`: `lost` requests have no result,
 * `invented` results have no request.
 */
export function compare(
  seen: readonly SeenRequest[],
  stored: readonly StoredResult[],
  untilMs: number,
): { paired: number; lost: SeenRequest[]; invented: StoredResult[] } {
  const lost: SeenRequest[] = [];
  const open = stored
    .map((result) => ({ result, atMs: Date.parse(result.checked_at) }))
    .sort((a, b) => a.atMs - b.atMs);
  const taken = new Set<number>();
  let paired = 0;
  for (const request of [...seen].sort((a, b) => a.atMs - b.atMs)) {
    const match = open.findIndex(
      ({ result, atMs }, index) =>
        !taken.has(index) &&
        result.location === request.location &&
        request.atMs - atMs >= -CLOCK_SKEW_MS &&
        request.atMs - atMs <= SAME_CHECK_MS,
    );
    if (match >= 0) {
      taken.add(match);
      paired += 1;
    } else if (request.atMs < untilMs) lost.push(request);
  }
  const invented = open.filter(({ atMs }, index) => !taken.has(index) && atMs < untilMs).map(({ result }) => result);
  return { paired, lost, invented };
}
