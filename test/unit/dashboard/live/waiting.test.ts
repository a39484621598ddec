import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Waiting {
  look(begunMs: readonly number[], nowMs: number): { isWaiting: boolean; againMs: number | null };
}

const { createWaiting } = await browserModule<{ createWaiting(): Waiting }>('app/live/waiting.ts');

t.test('a read without an answer is said after 3 seconds, and not before', async (t) => {
  const { look } = createWaiting();
  t.same(look([], 0), { isWaiting: false, againMs: null });
  t.same(look([1_000, 2_000], 2_500), { isWaiting: false, againMs: 4_000 }, 'the oldest counts');
  t.same(look([1_000, 2_000], 4_000), { isWaiting: true, againMs: null });
  t.same(look([2_000], 4_100), { isWaiting: true, againMs: 5_500 }, 'it does not flicker');
  t.same(look([2_000], 5_500), { isWaiting: true, againMs: null }, 'by now, the other one waits');
  t.same(look([], 5_600), { isWaiting: false, againMs: null });
});

t.test('an answer right after it was said leaves it for a moment', async (t) => {
  const { look } = createWaiting();
  t.ok(look([0], 3_000).isWaiting);
  t.same(look([], 3_050), { isWaiting: true, againMs: 4_500 });
  t.same(look([], 4_500), { isWaiting: false, againMs: null });
  t.same(look([4_400], 4_600), { isWaiting: false, againMs: 7_400 }, 'the next one has its own 3 seconds');
});
