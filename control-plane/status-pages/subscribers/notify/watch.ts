import type { BroadcastDocument, WatchDocument } from '../documents.js';
import { NEWS_MS } from '../limits.js';
import { activeMaintenance, eventsOf, type NewEvent } from './events.js';
import type { NotifyNeeds } from './needs.js';

/** A page without a change is compiled this often: outages and maintenance change without anybody's request. */
const PERIOD_MS = 10_000;
/** An event that the page still says is kept for longer, so that none is sent twice, however long an outage lasts. */
const KEPT_MS = 90 * 86_400_000;
const KEPT_FURTHER_MS = 30 * 86_400_000;

/** Compiles a page that has subscribers, and stores what has happened since the time before, each event once. */
export async function watchPage(needs: NotifyNeeds, watch: WatchDocument): Promise<void> {
  const { watches, subscribers, broadcasts, clock } = needs;
  const { _id: pageId, workspace_id: workspaceId } = watch;
  await watches.postpone(watch, clock.now() + PERIOD_MS);
  if ((await subscribers.batch(workspaceId, pageId, null, 1)).length === 0 && watch.sending_since_ms === null)
    return watches.end(watch);
  const page = await needs.store.find(workspaceId, pageId);
  if (page === null || (await needs.isStopped(workspaceId))) return;
  const model = await needs.compile(page);
  const nowMs = clock.now();
  const all = eventsOf(model, watch.active, nowMs).filter(({ event }) => event.atMs > nowMs - NEWS_MS);
  const idOf = (id: string) => `${pageId}/${id}`;
  const known = await broadcasts.known(
    workspaceId,
    all.flatMap(({ id, after }) => [idOf(id), ...(after === null ? [] : [idOf(after)])]),
  );
  const ending = [...known].filter(([, expiresAt]) => expiresAt.getTime() < nowMs + KEPT_FURTHER_MS);
  await broadcasts.keep(
    workspaceId,
    ending.map(([id]) => id),
    new Date(nowMs + KEPT_MS),
  );
  const isNew = ({ id, after }: NewEvent) => !known.has(idOf(id)) && (after === null || known.has(idOf(after)));
  const rows = all.filter(isNew).map((one) => broadcastOf(watch, one, isToSend(watch, one), nowMs));
  const active = activeMaintenance(model);
  if (rows.length === 0 && watch.primed && JSON.stringify(active) === JSON.stringify(watch.active)) return;
  const isSending = rows.some(({ open }) => open === true);
  await needs.runTransaction(async (tx) => {
    const since = isSending ? { sending_since_ms: watch.sending_since_ms ?? nowMs } : {};
    if (!(await watches.compiled(tx, watch, { active, primed: true, ...since }))) return;
    await broadcasts.insert(tx, rows);
  });
}

/** At the begin, the page says things that are news to nobody. Updates of people have a time, so those of meanwhile are sent. */
function isToSend({ primed, created_at_ms }: WatchDocument, { event }: NewEvent): boolean {
  return primed || (event.kind === 'incident_update' && event.atMs >= created_at_ms);
}

function broadcastOf(watch: WatchDocument, { id, event }: NewEvent, isOpen: boolean, nowMs: number): BroadcastDocument {
  return {
    _id: `${watch._id}/${id}`,
    workspace_id: watch.workspace_id,
    page_id: watch._id,
    incident_id: event.kind === 'incident_update' ? event.incidentId : null,
    event: isOpen ? event : null,
    at_ms: event.atMs,
    cursor: null,
    written: 0,
    ...(isOpen ? { open: true } : {}),
    expires_at: new Date(nowMs + KEPT_MS),
  };
}
