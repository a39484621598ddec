import { componentsOf, type StatusPageDocument } from '../documents.js';
import type { PublicIncident } from '../updates/documents.js';
import type { NoticeModel } from './model.js';

/** Returns what people have written: what lasts first, each the newest first. Authors and earlier texts are not public. */
export function noticesOf(
  incidents: readonly PublicIncident[],
  page: Pick<StatusPageDocument, 'groups'>,
): NoticeModel[] {
  const names = new Map(componentsOf(page).map(({ id, name }) => [id, name]));
  const isPast = ({ resolvedMs }: NoticeModel) => (resolvedMs === null ? 0 : 1);
  return incidents
    .map(({ _id, title, state, component_ids, updates, started_at_ms, resolved_at_ms }) => ({
      id: _id,
      title,
      state,
      startedMs: started_at_ms,
      resolvedMs: resolved_at_ms,
      components: component_ids.flatMap((id) => names.get(id) ?? []),
      componentIds: component_ids.filter((id) => names.has(id)),
      updates: [...updates].reverse().map((update) => ({
        id: update.id,
        state: update.state,
        text: update.text,
        atMs: update.at_ms,
        editedMs: update.edited_at_ms,
      })),
    }))
    .sort((a, b) => isPast(a) - isPast(b) || b.startedMs - a.startedMs);
}
