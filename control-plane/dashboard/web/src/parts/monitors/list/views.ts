import { read, write } from '../../../storage.ts';
import { type ListSearch, listSearch } from './search.ts';

/** A filter with a name. */
export interface SavedView {
  name: string;
  search: ListSearch;
}

const VIEWS_MAX = 30;
const NAME_CHARS_MAX = 60;

/** Where the views of a person in a workspace are. They stay in this browser. */
export function viewsKey(account: { email: string; workspace: { id: string } }): string {
  return `picket.monitor-views.${account.workspace.id}.${account.email}`;
}

export function savedViews(key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(read(key) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, VIEWS_MAX).map((view) => ({
      name: String(view?.name ?? '').slice(0, NAME_CHARS_MAX),
      search: listSearch(view?.search ?? {}),
    }));
  } catch {
    return [];
  }
}

/** Saves a view, in place of one with the same name. Returns all. */
export function saveView(key: string, view: SavedView): SavedView[] {
  const name = view.name.trim().slice(0, NAME_CHARS_MAX);
  const others = savedViews(key).filter((one) => one.name !== name);
  return stored(key, [...others, { name, search: view.search }].slice(-VIEWS_MAX));
}

export function removeView(key: string, name: string): SavedView[] {
  return stored(
    key,
    savedViews(key).filter((one) => one.name !== name),
  );
}

function stored(key: string, views: SavedView[]): SavedView[] {
  write(key, JSON.stringify(views));
  return views;
}
