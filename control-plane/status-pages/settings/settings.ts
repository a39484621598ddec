import type { Clock } from '../../../kernel/clock.js';
import { type FieldError, invalidFields } from '../../errors.js';
import { timeZoneOf } from '../../http/input/time/time-zone.js';
import type { Ids } from '../../storage/ids.js';
import { type ComponentGroup, type ComponentSettings, componentsOf, type PageSettings } from '../documents.js';
import { hostsOf } from '../hosts/named.js';
import {
  COLOR_DEFAULT,
  COMPONENTS_MAX,
  type CreateStatusPage,
  type GroupInput,
  INCIDENT_MINUTES_DEFAULT,
  type UpdateStatusPage,
} from '../schema.js';

/** What settings are made with. */
export interface SettingsNeeds {
  ids: Ids;
  clock: Clock;
  publicUrl: string;
}

/** Returns the settings of a new page. Throws 422. */
export function newSettings(input: CreateStatusPage, needs: SettingsNeeds): PageSettings {
  const { ids } = needs;
  return {
    slug: input.slug,
    title: input.title,
    description: input.description ?? null,
    time_zone: timeZoneOf(input.time_zone ?? 'UTC', '/time_zone'),
    color: (input.color ?? COLOR_DEFAULT).toLowerCase(),
    groups: groupsOf(input.groups ?? [], [], ids),
    incidents_after_minutes:
      input.incidents_after_minutes === undefined ? INCIDENT_MINUTES_DEFAULT : input.incidents_after_minutes,
    visibility: input.visibility ?? 'public',
    hosts: hostsOf(input.host_names ?? [], [], needs),
  };
}

/** Returns the changed settings; each field is replaced as a whole. Throws 422. */
export function changedSettings(current: PageSettings, patch: UpdateStatusPage, needs: SettingsNeeds): PageSettings {
  const { ids } = needs;
  const { incidents_after_minutes, host_names } = patch;
  const hosts = current.hosts ?? [];
  return {
    slug: patch.slug ?? current.slug,
    title: patch.title ?? current.title,
    description: patch.description === undefined ? current.description : patch.description,
    time_zone: patch.time_zone === undefined ? current.time_zone : timeZoneOf(patch.time_zone, '/time_zone'),
    color: (patch.color ?? current.color).toLowerCase(),
    groups: patch.groups === undefined ? current.groups : groupsOf(patch.groups, componentsOf(current), ids),
    incidents_after_minutes:
      incidents_after_minutes === undefined ? current.incidents_after_minutes : incidents_after_minutes,
    visibility: patch.visibility ?? current.visibility,
    hosts: host_names === undefined ? hosts : hostsOf(host_names, hosts, needs),
  };
}

function groupsOf(groups: readonly GroupInput[], known: readonly ComponentSettings[], ids: Ids): ComponentGroup[] {
  const errors = groupErrors(groups, new Set(known.map(({ id }) => id)));
  if (errors.length > 0) throw invalidFields(errors);
  return groups.map(({ name = null, components }) => ({
    name,
    components: components.map((component) => ({
      id: component.id ?? ids.next('cmp'),
      name: component.name,
      description: component.description ?? null,
      monitor_id: component.monitor_id ?? null,
      server_id: component.server_id ?? null,
      tag: component.tag ?? null,
      show_each: component.show_each ?? false,
    })),
  }));
}

function groupErrors(groups: readonly GroupInput[], known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const used = new Set<string>();
  let count = 0;
  for (const [place, { components }] of groups.entries()) {
    for (const [index, component] of components.entries()) {
      const path = `/groups/${place}/components/${index}`;
      errors.push(...componentErrors(path, component));
      const { id } = component;
      count += 1;
      if (id === undefined) continue;
      if (!known.has(id)) errors.push({ path: `${path}/id`, message: 'must be a component of this page', code: 'id' });
      if (used.has(id)) errors.push({ path: `${path}/id`, message: 'must not occur twice', code: 'duplicate' });
      used.add(id);
    }
  }
  if (count > COMPONENTS_MAX) {
    const message = `must have at most ${COMPONENTS_MAX} components together`;
    errors.push({ path: '/groups', message, code: 'too_many', params: { limit: COMPONENTS_MAX } });
  }
  return errors;
}

function componentErrors(path: string, component: GroupInput['components'][number]): FieldError[] {
  const { monitor_id, server_id, tag, show_each } = component;
  const targets = [monitor_id, server_id, tag].filter((target) => target != null).length;
  if (targets !== 1) return [{ path, message: 'must have exactly one of monitor_id, server_id and tag' }];
  if (show_each !== true || tag != null) return [];
  return [{ path: `${path}/show_each`, message: 'is only for a tag', code: 'not_with' }];
}
