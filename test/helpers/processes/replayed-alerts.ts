import { replayInPython } from '../verdicts/replay-in-python.js';
import type { Product } from './product.js';

/** Replays the decision records of the newest 200 alerts, as the API shows them. Returns the number of records. */
export async function replayAlerts(product: Pick<Product, 'api'>): Promise<number> {
  const alerts = await product.api('GET', '/v1/alerts?limit=200');
  const shown = await Promise.all(
    alerts.body.data.map(({ id }: { id: string }) => product.api('GET', `/v1/alerts/${id}`)),
  );
  return replayInPython(shown.map(({ body }) => body.data));
}
