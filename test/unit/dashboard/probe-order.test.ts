import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Probe {
  state: string;
  canary_ok: boolean | null;
  spool_records: number | null;
  dropped_total: number | null;
  lag_ms: number | null;
}
const { inOrder, isLate } = await browserModule<{
  inOrder<One extends Probe>(probes: readonly One[]): One[];
  isLate(probe: Probe): boolean;
}>('parts/operator/probes/order.ts');

const probe = (over: Partial<Probe> = {}): Probe => ({
  ...{ state: 'connected', canary_ok: true, spool_records: 0, dropped_total: 0, lag_ms: 0 },
  ...over,
});

t.test('results on their way are no reason to look', async (t) => {
  t.notOk(isLate(probe({ spool_records: 2, lag_ms: 900 })));
  t.notOk(isLate(probe({ spool_records: null, lag_ms: null })), 'a probe that has not said it yet');
  t.ok(isLate(probe({ spool_records: 1, lag_ms: 10_000 })));
});

t.test('the worst is the first', async (t) => {
  const fine = probe();
  const busy = probe({ spool_records: 5, lag_ms: 500 });
  const late = probe({ spool_records: 5, lag_ms: 60_000 });
  const lost = probe({ dropped_total: 1 });
  const away = probe({ state: 'disconnected' });
  t.same(inOrder([fine, busy, late, lost, away]), [away, lost, late, fine, busy]);
});
