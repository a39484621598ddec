import t from 'tap';
import {
  areAgentsExcused,
  planKeptAfter,
  retentionPlanOf,
  stopOf,
} from '../../../control-plane/accounts/standing/standing.js';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

t.test('after a downgrade, history follows the previous plan for seven days', async (t) => {
  const plan_kept = planKeptAfter({ plan: 'Enterprise' }, 'Free', NOW_MS) ?? null;
  const workspace = { plan: 'Free' as const, plan_kept };
  t.equal(retentionPlanOf(workspace, NOW_MS + 7 * DAY_MS - 1), 'Enterprise');
  t.equal(retentionPlanOf(workspace, NOW_MS + 7 * DAY_MS), 'Free');
  t.same(
    planKeptAfter(workspace, 'Pro', NOW_MS + DAY_MS),
    plan_kept,
    'an upgrade to a plan in between keeps the grace',
  );
  t.equal(planKeptAfter(workspace, 'Enterprise', NOW_MS + DAY_MS), null);
  t.equal(retentionPlanOf({ plan: 'Enterprise', plan_kept }, NOW_MS), 'Enterprise');
  t.equal(retentionPlanOf({ plan: 'Pro' }, NOW_MS), 'Pro');
});

t.test('a second downgrade keeps the larger plan for its own time', async (t) => {
  const first = planKeptAfter({ plan: 'Enterprise' }, 'Pro', NOW_MS) ?? null;
  const second = planKeptAfter({ plan: 'Pro', plan_kept: first }, 'Free', NOW_MS + DAY_MS) ?? null;
  t.equal(retentionPlanOf({ plan: 'Free', plan_kept: second }, NOW_MS + 2 * DAY_MS), 'Enterprise');
  t.equal(retentionPlanOf({ plan: 'Free', plan_kept: second }, NOW_MS + 7.5 * DAY_MS), 'Free');
});

t.test('a workspace is stopped while it is suspended or is being deleted', async (t) => {
  t.equal(stopOf({ plan: 'Free' }), null);
  t.equal(stopOf({ plan: 'Free', suspended: null, deletion: null }), null);
  t.same(stopOf({ plan: 'Free', suspended: { at_ms: 1, reason: 'Spam.' } }), {
    why: 'suspended',
    reason: 'This workspace is suspended: Spam.',
  });
  t.same(stopOf({ plan: 'Free', deletion: { requested_at_ms: 1, by: 'usr_1', at_ms: 2 } }), {
    why: 'deleted',
    reason:
      'This workspace will be deleted at 1970-01-01T00:00:00.002Z. Until then, an owner can restore it: POST /v1/workspace/restore.',
  });
});

t.test('agents are excused while the workspace is stopped, and until they have returned', async (t) => {
  t.equal(areAgentsExcused({ plan: 'Free', suspended: { at_ms: 1, reason: 'x' } }, NOW_MS), true);
  t.equal(areAgentsExcused({ plan: 'Free', resumed_at_ms: NOW_MS - 119_000 }, NOW_MS), true);
  t.equal(areAgentsExcused({ plan: 'Free', resumed_at_ms: NOW_MS - 120_000 }, NOW_MS), false);
  t.equal(areAgentsExcused({ plan: 'Free' }, NOW_MS), false);
});
