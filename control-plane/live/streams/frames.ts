import type { RecentEntry } from '../recent-events.js';

/** Texts of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). JSON has no line breaks. */

/** After a break, browsers wait this long before they connect again. */
const RETRY_MS = 2_000;

export const RETRY_FRAME = `retry: ${RETRY_MS}\n\n`;

/** Why a client must read everything again. */
export type ResetReason = 'unknown_position' | 'many_changes';

/** Why a stream ends. After `access_ended`, another attempt is refused. */
export type EndReason = 'access_ended' | 'access_changed' | 'expired' | 'replaced' | 'stopping';

export function eventFrame({ id, event }: Pick<RecentEntry, 'id' | 'event'>): string {
  return event === null ? '' : frame(event.type, event.data, id);
}

/** It names whose events these are: the session of a page may be another by now than when the page was loaded. */
export function readyFrame(id: string, resumed: boolean, of: { workspaceId: string; userId: string | null }): string {
  return frame('ready', { resumed, workspace_id: of.workspaceId, user_id: of.userId }, id);
}

export function resetFrame(id: string, reason: ResetReason): string {
  return frame('reset', { reason }, id);
}

/** It has no id, so the client continues where it was. */
export function endFrame(reason: EndReason, detail: string): string {
  return frame('end', { reason, detail, reconnect: reason !== 'access_ended' }, null);
}

/**
 * Events come late, until the next heartbeat. It comes in place of one, because a silent connection would count as
 * lost. It has no id: nothing more is known than before.
 */
export const BEHIND_FRAME = frame('behind', {}, null);

/**
 * A comment keeps proxies from closing the connection. An id without data moves the position of the client and causes no
 * event, so that a client that nothing happened to is not sent away for a position that is too old.
 */
export function heartbeatFrame(id: string): string {
  return `: heartbeat\nid: ${id}\n\n`;
}

function frame(event: string, data: unknown, id: string | null): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n${id === null ? '' : `id: ${id}\n`}\n`;
}
