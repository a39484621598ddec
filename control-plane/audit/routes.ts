import type { Clock } from '../../kernel/clock.js';
import { PLANS } from '../accounts/plans.js';
import type { Pager } from '../http/paging.js';
import { type Route, readRoute } from '../http/route.js';
import { parseTimestamp } from '../http/timestamp.js';
import { entryOf } from './entry.js';
import { AuditEntry, ListAuditLogs } from './schema.js';
import type { AuditStore } from './store.js';

export function createAuditRoutes(parts: { store: AuditStore; pager: Pager; clock: Clock }): Route[] {
  const { store, pager, clock } = parts;
  return [
    readRoute({
      method: 'GET',
      path: '/api/v1/audit-logs',
      access: 'audit:read',
      tag: 'Audit log',
      summary: 'List audit entries, newest first',
      description:
        'Entries older than what the plan keeps are not shown: 7 days on Free, 90 on Pro, a year on Enterprise.',
      query: ListAuditLogs,
      list: true,
      replies: { 200: AuditEntry },
      async handle(input) {
        const { actor, query } = input;
        const page = pager.open('audit-logs', input);
        const keptFromMs = clock.now() - PLANS[actor.plan].auditSeconds * 1000;
        const filter = {
          fromMs: Math.max(keptFromMs, query.from === undefined ? 0 : (parseTimestamp(query.from) ?? 0)),
          toMs: query.to === undefined ? null : parseTimestamp(query.to),
          action: query.action ?? null,
          actor: query.actor ?? null,
        };
        const found = await store.list(actor.workspaceId, filter, page.request);
        const { rows, nextCursor } = page.reply(found, (row) => [row.at_ms, row._id]);
        return { status: 200, data: rows.map(entryOf), nextCursor };
      },
    }),
  ];
}
