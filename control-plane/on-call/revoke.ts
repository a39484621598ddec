import { type Clock, toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { notFound } from '../errors.js';
import type { ChannelHeads } from '../notifications/notifications.js';
import type { Transaction } from '../storage/transaction.js';
import type { RevokedLinks, RevokeLinks } from './schema.js';
import type { RevocationsStore } from './store.js';

export interface RevokeNeeds {
  revocations: Pick<RevocationsStore, 'revoke'>;
  channels: ChannelHeads;
  audit: AuditLog;
  clock: Clock;
}

/** Revokes the links of the workspace, or of one of its channels. Links of later notifications work. */
export async function revokeLinks(
  needs: RevokeNeeds,
  tx: Transaction,
  actor: Actor,
  { channel_id: channelId = null }: RevokeLinks,
): Promise<RevokedLinks> {
  const { workspaceId, workspaceName } = actor;
  const channel = channelId === null ? null : await needs.channels.find(workspaceId, channelId, tx);
  if (channelId !== null && channel === null) throw notFound('channel');
  const nowMs = needs.clock.now();
  await needs.revocations.revoke(tx, workspaceId, channelId, nowMs);
  await needs.audit.record(tx, actor, {
    action: 'on_call_links.revoked',
    resource:
      channel === null
        ? { type: 'workspace', id: workspaceId, name: workspaceName }
        : { type: 'channel', id: channel.id, name: channel.name },
  });
  return { channel_id: channelId, revoked_at: toIso(nowMs) };
}
