import t from 'tap';
import { PLAN_NAMES, PLANS } from '../../../control-plane/plans/plans.js';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

const { fullness, overQuotaIn, wayTo } = await browserModule<{
  fullness(quota: { used: number; limit: number | null }): number | null;
  overQuotaIn(body: object): unknown[];
  wayTo(plan: string, billing: object, account: object): string;
}>('parts/billing/way.ts');
const { fileProblem, importFile } = await browserModule<{
  fileProblem(file: { size: number }): string | null;
  importFile(name: string, text: string): { content: string; contentType: string };
}>('parts/workspace/import-file.ts');
const { worstFirst } = await browserModule<{ worstFirst<Row>(rows: Row[]): Row[] }>('parts/workspace/import-order.ts');

const billing = (plan: string, connected: boolean, change: string) => ({
  plan,
  stripe: { connected },
  next: { change },
});
const owner = { role: 'owner', operator: false };

t.test('the way to a plan', (t) => {
  t.equal(wayTo('Pro', billing('Free', true, 'none'), owner), 'checkout');
  t.equal(wayTo('Enterprise', billing('Pro', true, 'renewal'), owner), 'change', 'with a subscription');
  t.equal(wayTo('Free', billing('Pro', true, 'none'), owner), 'change', 'smaller, without a subscription');
  t.equal(wayTo('Pro', billing('Free', false, 'none'), owner), 'ask-operator');
  t.equal(wayTo('Pro', billing('Free', false, 'none'), { ...owner, operator: true }), 'change');
  t.equal(wayTo('Pro', billing('Free', true, 'none'), { ...owner, role: 'admin' }), 'ask-owner');
  t.end();
});

t.test('the limits by which people compare plans are those of the plans', async (t) => {
  const { PLAN_LIMITS } = await browserModule<{ PLAN_LIMITS: Record<string, object> }>('parts/billing/limits.ts');
  t.same(Object.keys(PLAN_LIMITS), PLAN_NAMES);
  for (const plan of PLAN_NAMES) t.match(PLANS[plan], PLAN_LIMITS[plan] ?? {}, plan);
});

t.test('how full a limit is', (t) => {
  t.equal(fullness({ used: 5, limit: 20 }), 0.25);
  t.equal(fullness({ used: 25, limit: 20 }), 1);
  t.equal(fullness({ used: 5, limit: null }), null);
  t.equal(fullness({ used: 0, limit: 0 }), 0);
  t.equal(fullness({ used: 1, limit: 0 }), 1);
  t.same(overQuotaIn({ detail: 'another conflict' }), []);
  t.end();
});

t.test('files of monitors', (t) => {
  t.equal(fileProblem({ size: 0 }), 'empty');
  t.equal(fileProblem({ size: 1_048_577 }), 'large');
  t.equal(fileProblem({ size: 1_048_576 }), null);
  t.equal(importFile('a.yaml', '\uFEFF {"version": 1}').contentType, 'application/json');
  t.equal(importFile('a.json', 'version: 1').contentType, 'application/yaml');
  const rows = ['unchanged', 'created', 'refused'].map((action) => ({ action, notes: [] as string[] }));
  const noted = { action: 'updated', notes: ['the interval is longer'] };
  t.same(
    worstFirst([...rows, noted]).map(({ action }) => action),
    ['refused', 'updated', 'created', 'unchanged'],
  );
  t.end();
});
