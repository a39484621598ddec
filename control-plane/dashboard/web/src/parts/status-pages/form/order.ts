import type { ComponentInput, GroupInput } from './input.ts';

type Groups = readonly GroupInput[];
export type Direction = 'up' | 'down';

/** Where a component is: the group and the place in it, from 0. */
export interface Place {
  group: number;
  index: number;
}

/** Returns where a component is; null if it is not there. Pure. */
export function placeOf(groups: Groups, key: string): Place | null {
  for (const [group, { components }] of groups.entries()) {
    const index = components.findIndex((component) => component.key === key);
    if (index >= 0) return { group, index };
  }
  return null;
}

/** Whether a component can be moved that way. Pure. */
export function canMove(groups: Groups, { group, index }: Place, direction: Direction): boolean {
  if (direction === 'up') return index > 0 || group > 0;
  return index < (groups[group]?.components.length ?? 0) - 1 || group < groups.length - 1;
}

/** Returns the groups with a component one place up or down, beyond the first and the last place in the next group. Pure. */
export function moved(groups: Groups, key: string, direction: Direction): Groups {
  const place = placeOf(groups, key);
  if (place === null || !canMove(groups, place, direction)) return groups;
  const { group, index } = place;
  const from = groups[group]?.components ?? [];
  const component = from[index];
  if (component === undefined) return groups;
  const without = removed(groups, key);
  const step = direction === 'up' ? -1 : 1;
  const isInside = index + step >= 0 && index + step < from.length;
  if (isInside) return inserted(without, { group, index: index + step }, component);
  const next = group + step;
  const last = direction === 'up' ? (groups[next]?.components.length ?? 0) : 0;
  return inserted(without, { group: next, index: last }, component);
}

/** Returns the groups without a component. Pure. */
export function removed(groups: Groups, key: string): Groups {
  return groups.map((group) => ({ ...group, components: group.components.filter((one) => one.key !== key) }));
}

/** Returns the groups with a component at a place. Pure. */
export function inserted(groups: Groups, { group, index }: Place, component: ComponentInput): Groups {
  return groups.map((one, place) =>
    place === group ? { ...one, components: one.components.toSpliced(index, 0, component) } : one,
  );
}

/** Returns a key that none of the groups has. Pure. */
export function newGroupKey(groups: Groups): string {
  const numbers = groups.map(({ key }) => Number(key.replace('group-', '')));
  return `group-${Math.max(-1, ...numbers) + 1}`;
}
