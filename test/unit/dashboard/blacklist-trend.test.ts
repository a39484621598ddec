import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Check {
  checked_at: string;
  changes: { kind: string; policy: boolean }[];
}
interface Answer {
  status: string;
  policy: boolean;
}

const { latestTrend, worstAnswersFirst } = await browserModule<{
  latestTrend(checks: Check[]): { added: number; removed: number; isBad: boolean; at: string } | null;
  worstAnswersFirst(answers: Answer[]): Answer[];
}>('parts/blacklists/trend.ts');

const check = (checked_at: string, ...kinds: string[]): Check => ({
  checked_at,
  changes: kinds.map((kind) => ({ kind: kind.replace('policy', 'listed'), policy: kind === 'policy' })),
});

t.test('the trend is the newest change that lists made', (t) => {
  const checks = [check('third', 'dropped'), check('second', 'listed', 'listed', 'delisted'), check('first', 'listed')];
  t.same(latestTrend(checks), { added: 2, removed: 1, isBad: true, at: 'second' });
  t.match(latestTrend([check('only', 'policy', 'delisted')]), { added: 1, removed: 1, isBad: false });
  t.equal(latestTrend([check('only', 'dropped')]), null);
  t.equal(latestTrend([]), null);
  t.end();
});

t.test('answers to act on come first, then policy listings, then lists without an answer', (t) => {
  const of = (status: string, policy = false) => ({ status, policy });
  const sorted = worstAnswersFirst([of('clean'), of('timeout'), of('listed', true), of('blocked'), of('listed')]);
  t.same(
    sorted.map(({ status, policy }) => `${status}${policy ? ' by policy' : ''}`),
    ['listed', 'listed by policy', 'timeout', 'blocked', 'clean'],
  );
  t.end();
});
