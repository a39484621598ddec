import { plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Hängt ab von',
  purpose: 'Solange ein Monitor dieser Liste ausgefallen ist, meldet Picket diesen nicht für sich.',
  none: 'Er hängt von keinem anderen Monitor ab.',
  throughTag: (tag) => `durch das Tag ${tag}`,
  remove: 'Entfernen',
  monitor: 'Monitor',
  choose: 'Monitor wählen',
  add: 'Hinzufügen',
  dependents: 'Hängt davon ab',
  ofTag: (tag) => `alles mit dem Tag ${tag}`,
  suggested: (count) =>
    `ist immer mit diesem zusammen ausgefallen, ${plural(count, { one: 'Mal', other: 'Mal' })} in 90 Tagen.`,
};
