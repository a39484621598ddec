import type { Actor } from '../actor.js';
import type { Client } from '../http/client/client.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { ManualChanges } from '../incidents/incidents.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { OpenedLink, OpenLinkNeeds } from './open-link.js';

/** What a link can do, and the button of each on its page. */
export const ACTIONS = ['acknowledge', 'silence'] as const;
export type Action = (typeof ACTIONS)[number];

export interface ActNeeds {
  incident: OpenLinkNeeds['incident'];
  incidents: ManualChanges;
  runTransaction: RunTransaction;
}

export interface ActResult {
  done: boolean;
  /** As it is now. */
  incident: IncidentDocument;
}

/**
 * Acknowledges or silences the incident of a link. `done` is false when nothing was changed: somebody did it before, also
 * with this link, or the incident is resolved. Neither can be undone, so each link does each of them once at most; of two
 * uses at once, the transaction of one is repeated and finds what the other has done.
 */
export function act(needs: ActNeeds, opened: OpenedLink, action: Action, client: Client): Promise<ActResult> {
  const { workspaceId, incidentId } = opened.link;
  const actor = actorOf(opened, client);
  return needs.runTransaction(async (tx) => {
    const before = await needs.incident(workspaceId, incidentId, tx);
    if (before === null) throw new Error('an incident was deleted while a link acted on it');
    if (before.status === 'resolved' || isDone(action, before)) return { done: false, incident: before };
    return { done: true, incident: await needs.incidents[action](tx, actor, incidentId) };
  });
}

/** Whether the action has nothing left to do. Silence of a maintenance window ends with it, so a person can silence too. */
export function isDone(action: Action, incident: IncidentDocument): boolean {
  return action === 'acknowledge' ? incident.acknowledged_at_ms !== null : silencedBy(incident) !== null;
}

/** Returns who silenced the incident; null if nobody did. */
export function silencedBy({ events }: IncidentDocument): string | null {
  return events.findLast((event) => event.type === 'silenced' && event.actor !== 'system')?.actor ?? null;
}

/** Whoever has the link. No route accepts this actor, so it has no rights beyond what is called with it here. */
function actorOf({ workspace, channel }: OpenedLink, client: Client): Actor {
  return {
    kind: 'link',
    workspaceId: workspace._id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: workspace.plan,
    stopped: null,
    userId: null,
    email: `a link in the channel “${channel.name}”`,
    ip: client.ip,
    userAgent: client.userAgent,
    scopes: [],
    role: 'viewer',
    operator: false,
    key: null,
    session: null,
    link: { channelId: channel.id, channelName: channel.name },
    requestId: client.requestId,
  };
}
