/** The beginning of the keys of queries: `['monitors']` is every list of monitors, `['monitor', id]` all of one monitor. */
export type KeyStart = readonly string[];

/** What counts as used by the plan, which changes with what there is. */
const CHANGES_COUNTS = /\.(?:created|deleted|restored|imported|connected|disconnected)$/;

/** What is shown together with others, by the kind of object that changed. */
const SHOWN_WITH: Readonly<Record<string, readonly KeyStart[]>> = {
  invitation: [['team']],
  invoice: [['billing']],
  location: [['probes']],
  member: [['team']],
  probe: [['locations']],
  user: [['team'], ['account']],
  workspace: [['account'], ['billing'], ['own-workspaces'], ['team']],
};

/**
 * Returns the keys of the queries that an event of `GET /v1/events` concerns. Pure. Kinds are named as in the API, with
 * dashes: a list is the plural (`['alert-rules', …]`), one object the singular with its id (`['alert-rule', id, …]`).
 */
export function affectedKeys(event: string, data: unknown): readonly KeyStart[] {
  const { id, action, resource } = fieldsOf(data);
  if (event === 'monitor' || event === 'server') return [...ofObject(event, id), ['timeline']];
  if (event === 'incident') return [...ofObject('incident', id), ...ofResource(resource), ['timeline']];
  if (event !== 'change') return [];
  const [subject = ''] = action.split('.');
  const { type } = fieldsOf(resource);
  return [
    ...ofResource(resource),
    // An action on many objects names none of them.
    ...(subject === '' || subject === type ? [] : [[kindOf(subject)], ...ofObject(subject, '')]),
    ...(CHANGES_COUNTS.test(action) ? [['billing']] : []),
    ['timeline'],
    ['audit'],
  ];
}

/** Returns whether a query is one of those that a key stands for. Pure. */
export function isAffected(queryKey: readonly unknown[], start: KeyStart): boolean {
  return start.every((part, index) => queryKey[index] === part);
}

/** More objects at once are read with the whole list. */
const NAMED_MAX = 100;

/**
 * Returns the ids of the objects of a list that changed, if the keys name them all; null if the whole list must be read.
 * Pure.
 */
export function namedIds([list]: readonly unknown[], starts: readonly KeyStart[]): readonly string[] | null {
  const ofList = starts.filter(([kind]) => kind === undefined || `${kind}s` === list);
  const ids = ofList.flatMap(([, id]) => (id === undefined ? [] : [id]));
  return ids.length === 0 || ids.length < ofList.length || ids.length > NAMED_MAX ? null : ids;
}

function ofResource(resource: unknown): readonly KeyStart[] {
  const { type, id } = fieldsOf(resource);
  return type === '' ? [] : [...ofObject(type, id), ...(SHOWN_WITH[type] ?? [])];
}

function ofObject(type: string, id: string): readonly KeyStart[] {
  const kind = kindOf(type);
  return [...(id === '' ? [] : [[kind, id]]), [`${kind}s`]];
}

const kindOf = (type: string): string => type.replaceAll('_', '-');

function fieldsOf(data: unknown) {
  const fields = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  return { id: text('id'), type: text('type'), action: text('action'), resource: fields['resource'] };
}
