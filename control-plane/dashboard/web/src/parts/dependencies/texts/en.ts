import { plural } from '../../../texts/format.ts';

export const en = {
  title: 'Depends on',
  purpose: 'While a monitor of this list is down, Picket does not notify of this one by itself.',
  none: 'It depends on no other monitor.',
  throughTag: (tag: string) => `through the tag ${tag}`,
  remove: 'Remove',
  monitor: 'Monitor',
  choose: 'Choose a monitor',
  add: 'Add',
  dependents: 'Depend on it',
  ofTag: (tag: string) => `everything with the tag ${tag}`,
  suggested: (count: number) =>
    `always failed together with this one, ${plural(count, { one: 'time', other: 'times' })} in 90 days.`,
};
