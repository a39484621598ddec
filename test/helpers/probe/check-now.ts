import type { Product } from '../processes/product.js';
import { waitFor } from '../wait.js';

/** The fields of a result of `GET /v1/monitors/{id}/results` that tests use. */
export interface ShownResult {
  id: string;
  checked_at: string;
  location: string;
  status: 'up' | 'down';
  response_time_ms: number;
  http_status: number | null;
  error: { code: string; message: string } | null;
  reason: string;
}

/** The time after its timeout within which the result of a commanded check must be visible. */
export const RESULT_AFTER_TIMEOUT_MS = 2_000;

/** Creates a monitor with one location that is checked once now and then only by command. Returns its ID. */
export async function createRareMonitor(product: Pick<Product, 'api'>, settings: object): Promise<string> {
  const { status, body } = await product.api('POST', '/v1/monitors', {
    name: 'hostile',
    type: 'http',
    interval_seconds: 86_400,
    locations: ['fra'],
    retries: 0,
    channels: [],
    ...settings,
  });
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
  return body.data.id;
}

/** Creates such a monitor and waits for its first result. */
export async function checkNew(
  product: Pick<Product, 'api'>,
  settings: object,
  withinMs: number,
): Promise<{ id: string; result: ShownResult }> {
  const id = await createRareMonitor(product, settings);
  return { id, result: await newResult(product, id, new Set(), withinMs) };
}

/** Checks a monitor by command. Its first check must be complete, because its result would be taken for this one. */
export async function checkNow(product: Pick<Product, 'api'>, id: string, withinMs: number): Promise<ShownResult> {
  const known = new Set((await shownResults(product, id)).map((result) => result.id));
  const { status } = await product.api('POST', `/v1/monitors/${id}/check`);
  if (status !== 202) throw new Error(`check answered ${status}`);
  return newResult(product, id, known, withinMs);
}

/** Waits for the result of the first check of a monitor. */
export function firstResult(product: Pick<Product, 'api'>, id: string, withinMs: number): Promise<ShownResult> {
  return waitFor('its first result', withinMs, async () => (await shownResults(product, id)).at(-1));
}

function newResult(
  product: Pick<Product, 'api'>,
  id: string,
  known: ReadonlySet<string>,
  withinMs: number,
): Promise<ShownResult> {
  const unknown = async () => (await shownResults(product, id)).find((result) => !known.has(result.id));
  return waitFor('a result', withinMs, unknown);
}

async function shownResults(product: Pick<Product, 'api'>, id: string): Promise<ShownResult[]> {
  const { status, body } = await product.api('GET', `/v1/monitors/${id}/results?limit=100`);
  if (status !== 200) throw new Error(`results answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
