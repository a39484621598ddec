import type { Actor } from '../actor.js';
import type { Client } from '../http/client/client.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { ManualChanges } from '../incidents/incidents.js';
import { isSilencedByLink, personalSilence } from '../incidents/silence/personal-silence.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { OpenedLink, OpenLinkNeeds } from './open-link.js';

/** What a button of the page does, and its value in the form. */
export type Choice =
  | { value: string; action: 'acknowledge' }
  /** `forMinutes` null: until the incident is resolved. */
  | { value: string; action: 'silence'; forMinutes: number | null };

export const CHOICES: readonly Choice[] = [
  { value: 'acknowledge', action: 'acknowledge' },
  { value: 'silence-30', action: 'silence', forMinutes: 30 },
  { value: 'silence-120', action: 'silence', forMinutes: 120 },
  { value: 'silence-480', action: 'silence', forMinutes: 480 },
  { value: 'silence', action: 'silence', forMinutes: null },
];

/** A member of a workspace. */
interface Member {
  id: string;
  email: string;
}

export interface ActNeeds {
  incident: OpenLinkNeeds['incident'];
  incidents: ManualChanges;
  /** Resolves to null when no member of the workspace has the address. */
  member(tx: Transaction, workspaceId: string, email: string): Promise<Member | null>;
  runTransaction: RunTransaction;
}

export interface ActResult {
  done: boolean;
  /** As it is now. */
  incident: IncidentDocument;
}

/**
 * Acknowledges or silences the incident of a link. `done` is false when nothing was changed: it was done before, also
 * with this link, or the incident is resolved. Each link does each of them once at most; of two uses at once, the
 * transaction of one is repeated and finds what the other has done.
 */
export function act(needs: ActNeeds, opened: OpenedLink, choice: Choice, client: Client): Promise<ActResult> {
  const { workspaceId, incidentId: id } = opened.link;
  return needs.runTransaction(async (tx) => {
    const before = await needs.incident(workspaceId, id, tx);
    if (before === null) throw new Error('an incident was deleted while a link acted on it');
    if (before.status === 'resolved' || isDone(choice.action, before, opened)) return { done: false, incident: before };
    const actor = actorOf(opened, await personOf(needs, tx, opened), client);
    const incident = await (choice.action === 'acknowledge'
      ? needs.incidents.acknowledge(tx, actor, id)
      : needs.incidents.silence(tx, actor, { id, forMinutes: choice.forMinutes }));
    return { done: true, incident };
  });
}

/**
 * Whether the action has nothing left to do, or the link has done it: a silence for a time ends, and the next notification
 * has another link. Silence of a maintenance window ends with it, so a person can silence too.
 */
export function isDone(
  action: Choice['action'],
  incident: IncidentDocument,
  { link, channel }: Pick<OpenedLink, 'link' | 'channel'>,
): boolean {
  if (action === 'acknowledge') return incident.acknowledged_at_ms !== null;
  return isSilencedByLink(incident, channel.id, link.issuedAtMs) || personalSilence(incident) !== null;
}

/** Returns the only person that the link was sent to; null for a channel that others read too. Without an id, they have just left. */
async function personOf(
  { member }: ActNeeds,
  tx: Transaction,
  { link, channel: { onlyReceiver } }: OpenedLink,
): Promise<{ id: string | null; email: string } | null> {
  if (onlyReceiver === null) return null;
  return (await member(tx, link.workspaceId, onlyReceiver)) ?? { id: null, email: onlyReceiver };
}

/** Whoever has the link. No route accepts this actor, so it has no rights beyond what is called with it here. */
function actorOf(
  { workspace, channel }: OpenedLink,
  person: { id: string | null; email: string } | null,
  client: Client,
): Actor {
  return {
    kind: 'link',
    workspaceId: workspace._id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: workspace.plan,
    stopped: null,
    userId: person?.id ?? null,
    email: person?.email ?? `a link in the channel “${channel.name}”`,
    ip: client.ip,
    userAgent: client.userAgent,
    scopes: [],
    role: 'viewer',
    operator: false,
    key: null,
    session: null,
    link: { channelId: channel.id, channelName: channel.name, person: person?.email ?? null },
    requestId: client.requestId,
  };
}
