import type { Target } from '../queries.ts';
import type { ComponentInput, GroupInput, TargetKind } from './input.ts';

/** Something that a component can show, as the list of choices has it. */
export interface Option {
  /** `monitor:mon_…`, `server:srv_…` or `tag:production`. */
  value: string;
  kind: TargetKind;
  target: string;
  /** Its name in Picket. */
  name: string;
}

export interface Targets {
  monitors: readonly Target[];
  servers: readonly Target[];
}

/** Returns everything that a page can show: monitors, servers, and the tags that these have, by name. Pure. */
export function optionsOf({ monitors, servers }: Targets): Option[] {
  const tags = [...new Set([...monitors, ...servers].flatMap((one) => one.tags))];
  return [
    ...byName(monitors.map(({ id, name }) => optionOf('monitor', id, name))),
    ...byName(servers.map(({ id, name }) => optionOf('server', id, name))),
    ...byName(tags.map((tag) => optionOf('tag', tag, tag))),
  ];
}

function optionOf(kind: TargetKind, target: string, name: string): Option {
  return { value: `${kind}:${target}`, kind, target, name };
}

const byName = (options: Option[]): Option[] => options.sort((one, other) => one.name.localeCompare(other.name));

/** Returns the options that no component of the form shows yet. Pure. */
export function unusedOptions(options: readonly Option[], groups: readonly GroupInput[]): Option[] {
  const used = new Set(groups.flatMap(({ components }) => components.map(({ kind, target }) => `${kind}:${target}`)));
  return options.filter(({ value }) => !used.has(value));
}

/** Returns a component that is not stored yet; its public name is suggested. Pure. */
export function componentFor({ value, kind, target, name }: Option, nameCharsMax: number): ComponentInput {
  const publicName = [...name].slice(0, nameCharsMax).join('');
  return { key: value, id: null, name: publicName, description: '', kind, target, show_each: false };
}
