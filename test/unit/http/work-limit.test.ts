import t from 'tap';
import { AppError } from '../../../control-plane/errors.js';
import { createWorkLimit } from '../../../control-plane/http/limits/work-limit.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { testClock } from '../../helpers/clock.js';

const WAIT_MS_MAX = 1_000;

/** A limit whose work runs until `end` is called for it, or until it is given up. */
function limited(runningMax: number) {
  const clock = testClock();
  const limit = createWorkLimit(
    { clock },
    {
      ...{ runningMax, runningPerWorkspaceMax: 1, runningOfFreeMax: 1, waitMsMax: WAIT_MS_MAX },
      ...{ budgetMs: null, runMsMax: null },
    },
    { busy: () => new AppError('rate_limited', 'busy'), spent: '', advice: '' },
  );
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const run = (workspaceId: string, plan: PlanName, gone = new AbortController().signal) =>
    limit.run({ workspaceId, plan, gone, tooLong: () => new AppError('unavailable', 'too long') }, async () => {
      begun.push(workspaceId);
      await new Promise<void>((resolve) => running.set(workspaceId, resolve));
    });
  const end = async (workspaceId: string) => {
    running.get(workspaceId)?.();
    await clock.advance(0);
  };
  return { clock, run, begun, end };
}

t.test('with one place, those who pay come before Free workspaces that wait', async (t) => {
  const { clock, run, begun, end } = limited(1);
  const all = [run('pro_1', 'Pro'), run('free_1', 'Free'), run('free_2', 'Free'), run('pro_2', 'Enterprise')];
  await clock.advance(0);
  for (const workspaceId of ['pro_1', 'pro_2', 'free_1', 'free_2']) {
    t.equal(begun.at(-1), workspaceId);
    await end(workspaceId);
  }
  await Promise.all(all);
});

t.test('without a deadline and a budget, work may take as long as it needs; those that wait are told', async (t) => {
  const { clock, run, end } = limited(2);
  const first = run('ws_1', 'Free');
  await clock.advance(0);
  const second = t.rejects(run('ws_1', 'Free'), { code: 'rate_limited', message: 'busy' });
  await clock.advance(WAIT_MS_MAX);
  await second;
  await clock.advance(3_600_000);
  await end('ws_1');
  await first;
  const again = run('ws_1', 'Free');
  await clock.advance(0);
  await end('ws_1');
  await again;
});

t.test('whoever has gone waits no longer', async (t) => {
  const { clock, run, begun, end } = limited(1);
  const client = new AbortController();
  const first = run('ws_1', 'Pro');
  const left = t.rejects(run('ws_2', 'Pro', client.signal), /gone/);
  await clock.advance(0);
  client.abort(new Error('gone'));
  await left;
  await end('ws_1');
  await first;
  t.same(begun, ['ws_1']);
});
