import type { StatusPage } from '../../../api/types.ts';

/** What a component shows. */
export type TargetKind = 'monitor' | 'server' | 'tag';

export interface ComponentInput {
  /** Names it in the form; components that are not stored have no id yet. */
  key: string;
  id: string | null;
  name: string;
  description: string;
  kind: TargetKind;
  /** The id of the monitor or server, or the tag. */
  target: string;
  show_each: boolean;
}

export interface GroupInput {
  key: string;
  name: string;
  components: readonly ComponentInput[];
}

/** What the form has. Numbers are as typed. */
export type PageInput = {
  title: string;
  slug: string;
  description: string;
  groups: readonly GroupInput[];
  visibility: StatusPage['visibility'];
  /** Empty keeps the stored one. */
  password: string;
  time_zone: string;
  color: string;
  shows_outages: boolean;
  incidents_after_minutes: string;
};

export const FIELDS = [
  ...(['title', 'slug', 'description', 'groups', 'visibility', 'password', 'time_zone', 'color'] as const),
  ...(['shows_outages', 'incidents_after_minutes'] as const),
] as const;

const COLOR = '#1f4e79';
const OUTAGE_MINUTES = '5';

/** Returns the form of a new page. Pure. */
export function emptyPage(timeZone: string): PageInput {
  return {
    title: '',
    slug: '',
    description: '',
    visibility: 'public',
    password: '',
    time_zone: timeZone,
    color: COLOR,
    groups: [{ key: 'group-0', name: '', components: [] }],
    shows_outages: true,
    incidents_after_minutes: OUTAGE_MINUTES,
  };
}

/** Returns the form of a stored page. Pure. */
export function inputOf(page: StatusPage): PageInput {
  const { title, slug, visibility, time_zone, color, incidents_after_minutes: minutes } = page;
  const groups = page.groups.map(({ name, components }, index) => ({
    key: `group-${index}`,
    name: name ?? '',
    components: components.map(componentOf),
  }));
  return {
    title,
    slug,
    description: page.description ?? '',
    visibility,
    password: '',
    time_zone,
    color,
    groups: groups.length === 0 ? [{ key: 'group-0', name: '', components: [] }] : groups,
    shows_outages: minutes !== null,
    incidents_after_minutes: minutes === null ? OUTAGE_MINUTES : String(minutes),
  };
}

function componentOf(component: StatusPage['groups'][number]['components'][number]): ComponentInput {
  const { id, name, description, monitor_id, server_id, tag, show_each } = component;
  const kind = monitor_id !== null ? 'monitor' : server_id !== null ? 'server' : 'tag';
  const target = monitor_id ?? server_id ?? tag ?? '';
  return { key: id, id, name, description: description ?? '', kind, target, show_each };
}

/** Returns the body that creates a page. Pure. */
export function pageBody(input: PageInput): Record<string, unknown> {
  const { visibility, password, color, time_zone, incidents_after_minutes: minutes } = input;
  return {
    title: input.title.trim(),
    slug: input.slug.trim(),
    description: textOrNull(input.description),
    color,
    time_zone: time_zone.trim(),
    visibility,
    groups: input.groups.map(groupBody),
    // What is no number is sent as it is, so that the API says why not.
    incidents_after_minutes: !input.shows_outages ? null : /^\d+$/.test(minutes.trim()) ? Number(minutes) : minutes,
    ...(visibility === 'password' && password !== '' ? { password } : {}),
  };
}

/** Returns the body that changes these fields of a page. Pure. */
export function patchBody(input: PageInput, changed: readonly string[]): Record<string, unknown> {
  const whole = pageBody(input);
  const sent = new Set(changed.map((field) => (field === 'shows_outages' ? 'incidents_after_minutes' : field)));
  return Object.fromEntries(Object.entries(whole).filter(([field]) => sent.has(field)));
}

function groupBody({ name, components }: GroupInput) {
  return { name: textOrNull(name), components: components.map(componentBody) };
}

function componentBody({ id, name, description, kind, target, show_each }: ComponentInput) {
  return {
    ...(id === null ? {} : { id }),
    name: name.trim(),
    description: textOrNull(description),
    ...(kind === 'tag' ? { tag: target, show_each } : { [`${kind}_id`]: target }),
  };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
