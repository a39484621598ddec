import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { alertEvent } from '../audited.js';
import type { IncidentNeeds } from '../needs.js';
import { onTimeline } from '../on-timeline.js';
import type { CommentDocument } from './documents.js';
import type { CreateComment } from './schema.js';
import type { CommentStore } from './store.js';

export const COMMENTS_PER_INCIDENT_MAX = 200;

export interface CommentNeeds extends IncidentNeeds {
  comments: CommentStore;
}

/** Adds a comment, also to a resolved incident: what was found out belongs to it. Throws `conflict` above the limit. */
export async function createComment(
  needs: CommentNeeds,
  tx: Transaction,
  actor: Actor,
  { id, input }: { id: string; input: CreateComment },
): Promise<CommentDocument> {
  const text = input.text.replaceAll('\r\n', '\n').trim();
  if (text === '') throw invalidField('/text', 'must not be empty', 'empty');
  const { clock, ids, store, comments, audit } = needs;
  const nowMs = clock.now();
  const target = { workspaceId: actor.workspaceId, id };
  const event = {
    ...{ at_ms: nowMs, type: 'commented' as const },
    ...{ message: `Commented by ${actor.email}.`, actor: actor.email },
  };
  const incident = await store.countComment(tx, target, event, COMMENTS_PER_INCIDENT_MAX);
  if (incident === null) {
    if ((await store.find(actor.workspaceId, id, tx)) === null) throw notFound('incident');
    throw new AppError('conflict', `An incident has at most ${COMMENTS_PER_INCIDENT_MAX} comments.`);
  }
  const comment: CommentDocument = {
    ...{ _id: ids.next('cmt'), workspace_id: actor.workspaceId, incident_id: id },
    ...{ text, author: actor.email, at_ms: nowMs },
  };
  await comments.insert(tx, comment);
  await audit.record(tx, actor, alertEvent('alert.commented', incident, { comment_id: comment._id }));
  await onTimeline(needs, tx, [incident]);
  return comment;
}
