import { type Clock, toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { invalidField } from '../errors.js';
import { parseTimestamp } from '../http/input/time/timestamp.js';
import { byTime, type Pager } from '../http/paging.js';
import { type Reply, type Route, readRoute } from '../http/route.js';
import { PLANS } from '../plans/plans.js';
import { requirePlanFeature } from '../plans/quota.js';
import { idFloor } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { AuditAction, AuditLog } from './audit.js';
import type { AuditDocument } from './documents.js';
import { entryOf } from './entry.js';
import { EXPORT_TYPES, exportEntries } from './export/file.js';
import { auditSchemas, type ListAuditLogs } from './schema.js';
import type { AuditStore } from './store.js';

const BY_TIME = byTime((entry: AuditDocument) => ({ atMs: entry.at_ms, id: entry._id }));

export function createAuditRoutes(needs: {
  store: AuditStore;
  /** Of all slices. */
  actions: readonly AuditAction[];
  audit: AuditLog;
  runTransaction: RunTransaction;
  pager: Pager;
  clock: Clock;
}): Route[] {
  const { store, audit, pager, clock } = needs;
  const { AuditEntry, AuditExport, ListAuditLogs } = auditSchemas(needs.actions);
  const keptFromMs = (actor: Actor) => clock.now() - PLANS[actor.retentionPlan].auditSeconds * 1000;

  /** Exports a range of ids, because ids sort in chain order: so an export of any range has no gaps. */
  async function exported(actor: Actor, query: ListAuditLogs, format: keyof typeof EXPORT_TYPES): Promise<Reply> {
    requirePlanFeature(actor.plan, 'auditExport', 'Exports of the audit log');
    for (const name of ['limit', 'cursor'] as const) {
      if (query[name] !== undefined)
        throw invalidField(`/query/${name}`, 'applies to pages only; an export always covers the whole range');
    }
    // Entries written during the export are left to the next one.
    const toMs = Math.min(timeOf(query.to) ?? Number.POSITIVE_INFINITY, clock.now());
    const range = {
      fromId: idFloor('evt', Math.max(keptFromMs(actor), timeOf(query.from) ?? 0)),
      beforeId: idFloor('evt', toMs + 1),
      action: query.action ?? null,
      actor: query.actor ?? null,
    };
    await needs.runTransaction((tx) =>
      audit.record(tx, actor, {
        action: 'audit.exported',
        resource: { type: 'workspace', id: actor.workspaceId, name: actor.workspaceName },
        metadata: {
          format,
          from: query.from ?? null,
          to: query.to ?? null,
          of_action: range.action,
          of_actor: range.actor,
        },
      }),
    );
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
        'Shows entries as far back as the plan keeps them: 7 days on Free, 90 days on Pro, one year on Enterprise. With `format`, the response is a streamed file of all matching sealed entries, oldest first; this needs the Enterprise plan. If the connection breaks before the end, the file is incomplete. `picket audit verify FILE` checks a JSON export without filters.',
      query: ListAuditLogs,
      list: true,
      replies: { 200: AuditEntry },
      rawTypes: [EXPORT_TYPES.csv],
      rawJson: AuditExport,
      errors: ['plan_required'],
      async handle(input) {
        const { actor, query } = input;
        if (query.format !== undefined) return exported(actor, query, query.format);
        const page = pager.open('audit-logs', BY_TIME, input);
        const filter = {
          fromMs: Math.max(keptFromMs(actor), timeOf(query.from) ?? 0),
          toMs: timeOf(query.to),
          action: query.action ?? null,
          actor: query.actor ?? null,
        };
        const found = await store.list(actor.workspaceId, filter, page.request);
        return page.reply(found, (rows) => rows.map(entryOf));
      },
    }),
  ];
}

function timeOf(timestamp: string | undefined): number | null {
  return timestamp === undefined ? null : parseTimestamp(timestamp);
}
