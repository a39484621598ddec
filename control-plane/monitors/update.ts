import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import {
  announce,
  checkChannels,
  loadMonitor,
  type MonitorContext,
  rulesFor,
  votesForgotten,
  writeChange,
} from './context.js';
import type { HttpSettings, MonitorDocument } from './documents.js';
import { monitorSubject } from './monitors.js';
import { acceptSettings, changedSettings, type MonitorSettings, planRefusal, settingsOf } from './settings.js';
import type { UpdateMonitor } from './settings-schema.js';
import type { MonitorChange } from './store.js';
import { redactUrl } from './target.js';
import { lastChecked } from './view.js';

/** Changes settings; one that changes nothing leaves no trace. */
export async function updateMonitor(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  id: string,
  patch: UpdateMonitor,
  ifVersion: number | null,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(context, tx, actor, id, ifVersion);
  const settings = acceptSettings(changedSettings(settingsOf(monitor), patch, rulesFor(context, actor)));
  const refusal = planRefusal(settings, monitor, actor.plan);
  if (refusal !== null) throw new AppError('plan_limit', refusal);
  if (patch.channels !== undefined) await checkChannels(context, tx, actor, settings.channels);
  if (isDeepStrictEqual(settings, settingsOf(monitor))) return monitor;
  const changed = await applySettings(context, tx, actor, monitor, settings);
  await announce(context, tx, [changed], asksAnew(monitor, settings) ? 'manual' : null);
  return changed;
}

/** Writes settings that differ from the monitor's, with the audit entry. */
export async function applySettings(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  monitor: MonitorDocument,
  settings: MonitorSettings,
): Promise<MonitorDocument> {
  const changed = await writeChange(context, tx, monitor, {
    ...settings,
    updated_at_ms: context.clock.now(),
    ...verdictInputs(monitor, settings),
  });
  if (isOtherTarget(monitor, settings)) await endCertificateIncident(context, tx, actor, monitor);
  await context.audit.record(tx, actor, {
    action: 'monitor.updated',
    resource: { type: 'monitor', id: changed._id, name: changed.name },
    metadata: { changes: settingsChanges(monitor, settings) },
  });
  return changed;
}

/** Whether what is asked of the target differs, so that results from before say nothing about it. */
function asksAnew(before: MonitorSettings, after: MonitorSettings): boolean {
  return isOtherTarget(before, after) || !isDeepStrictEqual(before.http, after.http);
}

/**
 * What the change does to the votes. History stays in any case. Results for another target, or judged by other
 * rules, no longer vote; nor do locations that were taken away. The status itself waits for new votes.
 */
function verdictInputs(monitor: MonitorDocument, settings: MonitorSettings): MonitorChange {
  const isActive = monitor.paused_at_ms === null;
  if (asksAnew(monitor, settings)) {
    return {
      live: {},
      good: {},
      live_from_version: monitor.version + 1,
      last_checked_at_ms: lastChecked(monitor),
      state: votesForgotten(monitor.state, isActive),
      ...(isOtherTarget(monitor, settings) ? { certificate: null, certificate_told: null } : {}),
    };
  }
  const { failing = {}, ...state } = monitor.state;
  const ofKept = <T>(byLocation: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(byLocation).filter(([location]) => settings.locations.includes(location)));
  return {
    live: ofKept(monitor.live),
    good: ofKept(monitor.good),
    last_checked_at_ms: lastChecked(monitor),
    state: { ...state, failing: ofKept(failing), attention: isActive },
  };
}

function isOtherTarget(before: MonitorSettings, after: MonitorSettings): boolean {
  return before.url !== after.url || before.type !== after.type;
}

/** A certificate's incident is about the old target: nothing that is checked from now on would ever end it. */
async function endCertificateIncident(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  monitor: MonitorDocument,
): Promise<void> {
  const incident = await context.incidents.unresolved(actor.workspaceId, monitorSubject(monitor._id), tx);
  if (incident?.kind !== 'certificate') return;
  await context.incidents.resolveSubject(tx, actor, {
    workspaceId: actor.workspaceId,
    subject: monitorSubject(monitor._id),
    resolution: 'target_changed',
    message: `Resolved because ${actor.email} gave the monitor another target.`,
    recovery: null,
  });
}

/** What changed, for the audit log: no header's value, no body, no password. */
export function settingsChanges(
  before: MonitorSettings,
  after: MonitorSettings,
): Record<string, { from: unknown; to: unknown }> {
  const from = auditable(settingsOf(before));
  const to = auditable(settingsOf(after));
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const member of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (differs(member, before, after, from, to)) {
      changes[member] = { from: from[member] ?? null, to: to[member] ?? null };
    }
  }
  return changes;
}

/** Secret members are compared by their real value and told by what may be shown of them. */
function differs(
  member: string,
  before: MonitorSettings,
  after: MonitorSettings,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
): boolean {
  if (member === 'url') return before.url !== after.url;
  if (member === 'http.headers') return !isDeepStrictEqual(before.http?.headers ?? {}, after.http?.headers ?? {});
  if (member === 'http.body') return (before.http?.body ?? null) !== (after.http?.body ?? null);
  return !isDeepStrictEqual(from[member] ?? null, to[member] ?? null);
}

function auditable({ http, ...settings }: MonitorSettings): Record<string, unknown> {
  return {
    ...settings,
    url: redactUrl(settings.url),
    runbook_url: settings.runbook_url === null ? null : redactUrl(settings.runbook_url),
    ...(http === null ? {} : auditableHttp(http)),
  };
}

function auditableHttp({ headers, body, ...http }: HttpSettings): Record<string, unknown> {
  const open = Object.entries(http).map(([member, value]) => [`http.${member}`, value]);
  return {
    ...Object.fromEntries(open),
    'http.headers': Object.keys(headers),
    'http.body': body === null ? null : '[hidden]',
  };
}
