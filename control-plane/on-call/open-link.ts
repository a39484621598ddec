import type { Clock } from '../../kernel/clock.js';
import type { WorkspaceDocument } from '../accounts/documents.js';
import { stopOf } from '../accounts/standing/standing.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { ChannelHead, ChannelHeads } from '../notifications/notifications.js';
import type { Recipients } from '../recipients/recipients.js';
import type { Transaction } from '../storage/transaction.js';
import { LINK_VALID_MS, type LinkTokens, type OnCallLink } from './link-token.js';
import type { RevocationsStore } from './store.js';

export interface OpenLinkNeeds {
  tokens: Pick<LinkTokens, 'read'>;
  revocations: Pick<RevocationsStore, 'revokedUntil'>;
  workspaces: { findDocument(id: string): Promise<WorkspaceDocument | null> };
  channels: ChannelHeads;
  recipients: Pick<Recipients, 'sort'>;
  /** Resolves to null when the workspace has no such incident. */
  incident(workspaceId: string, id: string, tx?: Transaction): Promise<IncidentDocument | null>;
  clock: Clock;
}

/** A link that works, and what it is for. */
export interface OpenedLink {
  link: OnCallLink;
  workspace: WorkspaceDocument;
  channel: ChannelHead;
  incident: IncidentDocument;
}

/** A link that does not work. `forged`: this installation has not signed it. `ended`: it has expired or was revoked. */
export type Refusal = 'forged' | 'ended';

/**
 * Reads what a token is for. A link ends with its time, with the channel or a change of its configuration, with the rights of
 * its last receiver, and when the workspace is stopped, also for the time after it is resumed.
 */
export async function openLink(needs: OpenLinkNeeds, token: string): Promise<OpenedLink | Refusal> {
  const link = needs.tokens.read(token);
  if (link === null) return 'forged';
  const { workspaceId, channelId, incidentId, issuedAtMs } = link;
  if (needs.clock.now() >= issuedAtMs + LINK_VALID_MS) return 'ended';
  const [workspace, channel, incident, revokedUntilMs] = await Promise.all([
    needs.workspaces.findDocument(workspaceId),
    needs.channels.find(workspaceId, channelId),
    needs.incident(workspaceId, incidentId),
    needs.revocations.revokedUntil(workspaceId, channelId),
  ]);
  if (workspace === null || channel === null || incident === null) return 'ended';
  if (stopOf(workspace) !== null || issuedAtMs <= (workspace.resumed_at_ms ?? 0)) return 'ended';
  if (issuedAtMs <= channel.linksRevokedUntilMs) return 'ended';
  if (issuedAtMs <= revokedUntilMs || !(await mayAct(needs, workspaceId, channel))) return 'ended';
  return { link, workspace, channel, incident };
}

/**
 * Whether anybody gets links of the channel: of an e-mail channel only members who may acknowledge do. So a link does not
 * outlive the rights of the last one of them.
 */
async function mayAct(
  { recipients }: OpenLinkNeeds,
  workspaceId: string,
  { receivers }: Pick<ChannelHead, 'receivers'>,
): Promise<boolean> {
  return receivers === null || (await recipients.sort(workspaceId, receivers)).members.length > 0;
}
