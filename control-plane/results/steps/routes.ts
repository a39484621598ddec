import { Type } from 'typebox';
import type { Clock } from '../../../kernel/clock.js';
import { type Route, readRoute } from '../../http/route.js';
import { idsOf } from '../../monitors/ids-query.js';
import type { PointsBudget } from '../../retention/points-budget.js';
import { MonitorSteps, StepsQuery } from './schema.js';
import { stepsView, stepWindow } from './steps.js';
import type { StepsReads } from './store.js';

interface StepsRouteNeeds {
  steps: StepsReads;
  budget: PointsBudget;
  clock: Pick<Clock, 'now'>;
}

/** Returns the route that reads the history of many monitors in few steps, for the rows of a list. */
export function stepsRoute({ steps, budget, clock }: StepsRouteNeeds): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/monitors/history',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'Get the history of several monitors in hours or days',
    description:
      'Uptime and response time of the last 24 hours in hours, or of the last 30 days in days, as the rows of a list show them. Monitors without history in that time are left out. The history is that of the latest roll-up, which is at most some minutes old.',
    query: StepsQuery,
    replies: { 200: Type.Array(MonitorSteps) },
    list: true,
    async handle({ actor, query }) {
      budget.admit(actor.workspaceId);
      const nowMs = clock.now();
      const window = stepWindow(query.window ?? '24h', nowMs);
      const ids = idsOf(query.ids);
      const sums = await steps.sums(actor.workspaceId, ids, window, nowMs);
      budget.charge(actor.workspaceId, sums.size * window.steps);
      const data = ids.flatMap((id) => {
        const found = sums.get(id);
        return found === undefined ? [] : [stepsView(id, found, window)];
      });
      return { status: 200, data, nextCursor: null };
    },
  });
}
