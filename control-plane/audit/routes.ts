import { type Clock, toIso } from '../../kernel/clock.js';
import { PLANS } from '../accounts/plans.js';
import { requirePlanFeature } from '../accounts/quota.js';
import type { Actor } from '../actor.js';
import { invalidField } from '../errors.js';
import { parseTimestamp } from '../http/input/timestamp.js';
import type { Pager } from '../http/paging.js';
import { type Reply, type Route, readRoute } from '../http/route.js';
import { idFloor } from '../storage/ids.js';
import { entryOf } from './entry.js';
import { EXPORT_TYPES, exportEntries } from './export/export.js';
import { AuditEntry, AuditExport, ListAuditLogs } from './schema.js';
import type { AuditStore } from './store.js';

export function createAuditRoutes(parts: { store: AuditStore; pager: Pager; clock: Clock }): Route[] {
  const { store, pager, clock } = parts;
  const keptFromMs = (actor: Actor) => clock.now() - PLANS[actor.plan].auditSeconds * 1000;

  /** Cut by ids, which carry the time of an entry's place in the chain: so no piece of an export has a hole. */
  async function exported(actor: Actor, query: ListAuditLogs, format: keyof typeof EXPORT_TYPES): Promise<Reply> {
    requirePlanFeature(actor.plan, 'auditExport', 'Exports of the audit log');
    for (const name of ['limit', 'cursor'] as const) {
      if (query[name] !== undefined) throw invalidField(`/query/${name}`, 'is for pages; an export is the whole range');
    }
    // What is written while it is sent waits for the next one.
    const toMs = Math.min(timeOf(query.to) ?? Number.POSITIVE_INFINITY, clock.now());
    const range = {
      fromId: idFloor('evt', Math.max(keptFromMs(actor), timeOf(query.from) ?? 0)),
      beforeId: idFloor('evt', toMs + 1),
      action: query.action ?? null,
      actor: query.actor ?? null,
    };
    const name = `audit-log-${toIso(clock.now()).slice(0, 10)}`;
    return exportEntries(store, actor.workspaceId, range, { format, name });
  }

  return [
    readRoute({
      method: 'GET',
      path: '/api/v1/audit-logs',
      access: 'audit:read',
      tag: 'Audit log',
      summary: 'List audit entries, newest first, or export them, oldest first',
      description:
        'Entries older than what the plan keeps are not shown: 7 days on Free, 90 on Pro, a year on Enterprise. With `format` the answer is a file of all sealed entries that the filters name, oldest first, streamed however large it is; that needs the Enterprise plan. A connection that is cut before the end means that the file is not whole. `picket audit verify FILE` checks a JSON export without filters.',
      query: ListAuditLogs,
      list: true,
      replies: { 200: AuditEntry },
      rawTypes: [EXPORT_TYPES.csv],
      rawJson: AuditExport,
      errors: ['plan_required'],
      async handle(input) {
        const { actor, query } = input;
        if (query.format !== undefined) return exported(actor, query, query.format);
        const page = pager.open('audit-logs', input);
        const filter = {
          fromMs: Math.max(keptFromMs(actor), timeOf(query.from) ?? 0),
          toMs: timeOf(query.to),
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

function timeOf(timestamp: string | undefined): number | null {
  return timestamp === undefined ? null : parseTimestamp(timestamp);
}
