import type { Logger } from '../../../kernel/logger.js';
import type { PastWindowDocument, Span, WindowDocument } from '../documents.js';
import type { UptimeMaintenance } from '../maintenance.js';
import { joined } from '../schedule/occurrences.js';
import { createLeftOut, type LeftOut } from './left-out.js';

/** In memory: the windows whose time does not count in uptime, as they are and as they were before each change. */
export interface LeftOutTimes extends Pick<UptimeMaintenance, 'leftOut'> {
  /** Takes over everything that was read of these workspaces. */
  replace(
    workspaceIds: readonly string[],
    windows: readonly WindowDocument[],
    past: readonly PastWindowDocument[],
  ): void;
  put(window: WindowDocument, past: PastWindowDocument | null): void;
  remove(workspaceId: string, id: string, past: PastWindowDocument | null): void;
}

export function createLeftOutTimes({ logger }: { logger: Logger }): LeftOutTimes {
  /** By workspace, then by the id of the window or of its earlier version. Workspaces without any are left out. */
  const versions = new Map<string, Map<string, LeftOut>>();

  function keep(workspaceId: string, id: string, version: LeftOut): void {
    const own = versions.get(workspaceId) ?? new Map<string, LeftOut>();
    versions.set(workspaceId, own.set(id, version));
  }

  function putWindow(window: WindowDocument): void {
    const { _id: id, workspace_id: workspaceId, updated_at_ms: from_ms, counts_in_uptime } = window;
    if (counts_in_uptime === false) keep(workspaceId, id, createLeftOut({ ...window, from_ms, until_ms: null }));
    else versions.get(workspaceId)?.delete(id);
  }

  function putPast(past: PastWindowDocument | null): void {
    if (past !== null) keep(past.workspace_id, past._id, createLeftOut(past));
  }

  return {
    replace(workspaceIds, windows, past) {
      for (const workspaceId of workspaceIds) versions.delete(workspaceId);
      for (const window of windows) putWindow(window);
      for (const one of past) putPast(one);
    },
    put(window, past) {
      putWindow(window);
      putPast(past);
    },
    remove(workspaceId, id, past) {
      versions.get(workspaceId)?.delete(id);
      putPast(past);
    },
    leftOut(monitor, fromMs, toMs) {
      const spans: Span[] = [];
      for (const [id, version] of versions.get(monitor.workspace_id) ?? []) {
        try {
          spans.push(...version.of(monitor, fromMs, toMs));
        } catch (err) {
          logger.error({ err, window: id }, 'failed to compute a maintenance window; its time counts in uptime');
        }
      }
      return joined(spans);
    },
  };
}
