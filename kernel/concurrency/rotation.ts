/** Whom waiting work belongs to: of all groups of one name, each member takes its turn. */
export interface Share {
  /** For example an account. */
  group: string;
  /** For example the network of a client. */
  member: string;
}

/** Waiting items that are taken in turns: one of each group, and within a group one of each member, oldest first. */
export interface Rotation<T> {
  size(): number;
  sizeOf(group: string): number;
  add(share: Share, item: T): void;
  /** Takes the next item; null without any. */
  next(): T | null;
  /** Returns the group with most items; null without any. */
  heaviest(): string | null;
  /**
   * Returns the group with most items; null when `group` would have as many with one more, because a group that makes others wait as
   * much pushes none of them out.
   */
  heavierThan(group: string): string | null;
  /** Takes the newest item of the member with most items in a group; null without any. */
  dropOf(group: string): T | null;
  remove(share: Share, item: T): void;
}

/** Each call takes time in proportion to the groups, or the members of one, at most. */
export function createRotation<T>(): Rotation<T> {
  const groups = new Map<string, Map<string, T[]>>();
  const sizes = new Map<string, number>();
  let total = 0;

  function resize(group: string, by: number): void {
    total += by;
    const size = (sizes.get(group) ?? 0) + by;
    if (size > 0) sizes.set(group, size);
    else sizes.delete(group);
  }

  /** Puts what is left of a member, and of its group, at the end of the turns. */
  function putBack(group: string, members: Map<string, T[]>, member: string, items: T[]): void {
    members.delete(member);
    if (items.length > 0) members.set(member, items);
    groups.delete(group);
    if (members.size > 0) groups.set(group, members);
    resize(group, -1);
  }

  const rotation: Rotation<T> = {
    size: () => total,
    sizeOf: (group) => sizes.get(group) ?? 0,
    add({ group, member }, item) {
      const members = groups.get(group) ?? new Map<string, T[]>();
      groups.set(group, members);
      const items = members.get(member) ?? [];
      members.set(member, items);
      items.push(item);
      resize(group, 1);
    },
    next() {
      for (const [group, members] of groups) {
        for (const [member, items] of members) {
          const item = items.shift();
          putBack(group, members, member, items);
          return item ?? null;
        }
      }
      return null;
    },
    heaviest: () => largest(sizes, (size) => size),
    heavierThan(group) {
      const heaviest = rotation.heaviest();
      return heaviest !== null && rotation.sizeOf(heaviest) > rotation.sizeOf(group) + 1 ? heaviest : null;
    },
    dropOf(group) {
      const members = groups.get(group);
      const member = members === undefined ? null : largest(members, (items) => items.length);
      const item = member === null ? undefined : members?.get(member)?.at(-1);
      if (member === null || item === undefined) return null;
      rotation.remove({ group, member }, item);
      return item;
    },
    remove({ group, member }, item) {
      const members = groups.get(group);
      const items = members?.get(member);
      const index = items?.lastIndexOf(item) ?? -1;
      if (members === undefined || items === undefined || index < 0) return;
      items.splice(index, 1);
      if (items.length === 0) members.delete(member);
      if (members.size === 0) groups.delete(group);
      resize(group, -1);
    },
  };
  return rotation;
}

function largest<V>(entries: Map<string, V>, sizeOf: (value: V) => number): string | null {
  let name: string | null = null;
  let most = 0;
  for (const [candidate, value] of entries) {
    if (sizeOf(value) <= most) continue;
    most = sizeOf(value);
    name = candidate;
  }
  return name;
}
