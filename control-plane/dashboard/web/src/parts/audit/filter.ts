/** What the audit log can be filtered by, as it is in the URL. Days are those of the viewer's time zone. */
export interface AuditFilter {
  action?: string;
  /** A user id, an e-mail address, or `system`. */
  actor?: string;
  /** The first day, `2026-01-31`. */
  from?: string;
  /** The last day. */
  to?: string;
}

const ACTION = /^[a-z_]+\.[a-z_]+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The longest actor that the API takes. */
const ACTOR_CHARS_MAX = 320;

/** Returns the filter in the parameters of a URL, without what is none. */
export function auditFilterOf(search: Record<string, unknown>): AuditFilter {
  const { action, actor, from, to } = search;
  return {
    ...(typeof action === 'string' && ACTION.test(action) ? { action } : {}),
    ...(typeof actor === 'string' && actor.trim() !== '' ? { actor: actor.slice(0, ACTOR_CHARS_MAX) } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  };
}

function isDay(text: unknown): text is string {
  return typeof text === 'string' && DAY.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns the parameters of the API. Both days count as a whole. */
export function auditQuery({ action, actor, from, to }: AuditFilter): Record<string, string | undefined> {
  return {
    action,
    actor,
    from: from === undefined ? undefined : new Date(`${from}T00:00:00`).toISOString(),
    to: to === undefined ? undefined : new Date(`${to}T23:59:59.999`).toISOString(),
  };
}
