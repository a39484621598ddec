import { toIso } from '../../../kernel/clock.js';
import { notFound } from '../../errors.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import { IncidentId } from '../schema.js';
import { COMMENTS_PER_INCIDENT_MAX, type CommentNeeds, createComment } from './create.js';
import type { CommentDocument } from './documents.js';
import { Comment, CreateComment, ListComments } from './schema.js';

const PATH = '/v1/alerts/{id}/comments';

/** Returns the routes of `/v1/alerts/{id}/comments`. */
export function commentRoutes(needs: CommentNeeds & { pager: Pager }): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: PATH,
      access: 'alerts:read',
      tag: 'Alerts',
      summary: 'List the comments on an incident, newest first',
      params: IncidentId,
      query: ListComments,
      replies: { 200: Comment },
      list: true,
      async handle({ actor, params, query }) {
        const page = needs.pager.open(`comments of ${params.id}`, BY_ID, { actor, query });
        if ((await needs.store.find(actor.workspaceId, params.id)) === null) throw notFound('incident');
        const found = await needs.comments.list(actor.workspaceId, params.id, page.request);
        return page.reply(found, (rows) => rows.map(commentView));
      },
    }),
    mutationRoute({
      method: 'POST',
      path: PATH,
      access: 'alerts:write',
      tag: 'Alerts',
      summary: 'Comment on an incident',
      description: `An incident has at most ${COMMENTS_PER_INCIDENT_MAX} comments (409 above that), also after it is resolved. Comments cannot be changed or deleted.`,
      params: IncidentId,
      body: CreateComment,
      replies: { 201: Comment },
      errors: ['conflict'],
      async handle({ actor, params, body }, tx) {
        const comment = await createComment(needs, tx, actor, { id: params.id, input: body });
        return { status: 201, data: commentView(comment), location: `/v1/alerts/${params.id}/comments` };
      },
    }),
  ];
}

function commentView({ _id, text, author, at_ms }: CommentDocument): Comment {
  return { id: _id, text, author, created_at: toIso(at_ms) };
}
