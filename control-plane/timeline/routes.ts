import type { Clock } from '../../kernel/clock.js';
import { type Actor, hasScope } from '../actor.js';
import { timeRange } from '../http/input/time/time-range.js';
import { byTime, type Pager } from '../http/paging.js';
import { type Route, readRoute } from '../http/route.js';
import { PLANS } from '../plans/plans.js';
import { TimelineLine, TimelineQuery } from './schema.js';
import { entriesSince, mergedTimeline, type TimelineRow, type TimelineSource } from './timeline.js';
import { timelineView } from './view.js';

const NEWEST_FIRST = byTime((row: TimelineRow) => row);

interface TimelineRoutesNeeds {
  /** What slices recorded. */
  records: TimelineSource;
  audit: TimelineSource;
  pager: Pager;
  clock: Clock;
}

/** Returns the route of the timeline. */
export function timelineRoutes(needs: TimelineRoutesNeeds): Route[] {
  const { pager } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/timeline',
      access: 'alerts:read',
      tag: 'Alerts',
      summary: 'List the timeline of the workspace, newest first',
      description:
        'Incidents and status changes in one list, with audit entries if the key also has the scope `audit:read`. Goes back as far as the plan keeps hourly results, audit entries as far as the plan keeps them.',
      query: TimelineQuery,
      replies: { 200: TimelineLine },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('timeline', NEWEST_FIRST, { actor, query });
        const { fromMs, toMs } = timeRange(query.from, query.to);
        const found = await mergedTimeline(visibleSources(needs, actor), {
          workspaceId: actor.workspaceId,
          fromMs: fromMs ?? null,
          toMs: toMs ?? null,
          resourceId: query.resource_id ?? null,
          after: page.request.after,
          limit: page.request.rowsMax,
        });
        return page.reply(found, (rows) => rows.map(timelineView));
      },
    }),
  ];
}

/** Returns what the actor may see: audit entries only with their own scope, and nothing that the plan does not keep. */
function visibleSources({ records, audit, clock }: TimelineRoutesNeeds, actor: Actor): TimelineSource[] {
  const plan = PLANS[actor.retentionPlan];
  const since = (keptSeconds: number) => clock.now() - keptSeconds * 1_000;
  return [
    entriesSince(records, since(plan.hoursSeconds)),
    ...(hasScope(actor, 'audit:read') ? [entriesSince(audit, since(plan.auditSeconds))] : []),
  ];
}
