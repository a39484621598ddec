import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { MemberAccess } from '../../accounts/member-access.js';
import type { Actor } from '../../actor.js';
import type { AuditAction, AuditEvent, AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import { refuseKeyWithExpiry } from '../../http/access.js';
import { ROLE_RIGHTS } from '../../roles.js';
import type { Ids } from '../../storage/ids.js';
import type { Transaction } from '../../storage/transaction.js';
import type { FeedDocument } from './documents.js';
import type { FeedStore, ListedFeed } from './store.js';
import { feedTokenHash, newFeedToken } from './token.js';

/** The limit of a workspace. */
const FEEDS_MAX = 20;

export interface FeedNeeds {
  feeds: FeedStore;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
}

/** Creates a feed, and returns it with its token, which is not stored. Throws 409 when there are too many. */
export async function createFeed(
  { feeds, audit, ids, clock, random }: FeedNeeds,
  tx: Transaction,
  actor: Actor,
  name: string,
): Promise<{ feed: ListedFeed; token: string }> {
  refuseKeyWithExpiry(actor, 'create a calendar feed');
  if (actor.userId === null) throw new AppError('forbidden', 'Only a person or the API key of one can create it.');
  if ((await feeds.lockAndCount(tx, actor.workspaceId, FEEDS_MAX)) >= FEEDS_MAX) {
    throw new AppError('conflict', `A workspace can have ${FEEDS_MAX} calendar feeds; revoke some of them.`);
  }
  const token = newFeedToken(random);
  const feed: FeedDocument = {
    _id: ids.next('mfd'),
    workspace_id: actor.workspaceId,
    name,
    token_hash: feedTokenHash(token),
    maker_id: actor.userId,
    created_by: actor.email,
    created_at_ms: clock.now(),
  };
  await feeds.insert(tx, feed);
  await audit.record(tx, actor, audited('maintenance.feed_created', feed));
  return { feed, token };
}

/** Revokes a feed: its address works no more. Throws 404. */
export async function revokeFeed(
  { feeds, audit }: Pick<FeedNeeds, 'feeds' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<void> {
  const feed = await feeds.remove(tx, actor.workspaceId, id);
  if (feed === null) throw notFound('calendar feed');
  await audit.record(tx, actor, audited('maintenance.feed_revoked', feed));
}

/** Returns the function that revokes the feeds of a member who may not change maintenance any more. */
export function createEndFeeds({ removeOf }: Pick<FeedStore, 'removeOf'>): MemberAccess['end'] {
  return async (tx, { workspaceId, userId, role }) =>
    role !== null && ROLE_RIGHTS[role].write ? 0 : removeOf(tx, workspaceId, userId);
}

function audited(action: AuditAction, { _id, name }: ListedFeed): AuditEvent {
  return { action, resource: { type: 'maintenance_feed', id: _id, name }, metadata: {} };
}
