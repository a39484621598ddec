import type { Incident, Page } from '../../../api/types.ts';
import { texts } from '../../../texts/app/texts.ts';

/** Returns how many incidents are firing, by the first page of them. Pure. */
export function firingSentence({ data, next_cursor }: Page<Incident>): string {
  if (data.length === 0) return texts.incidents.noneFiring;
  return next_cursor === null ? texts.incidents.countFiring(data.length) : texts.incidents.moreFiring(data.length);
}
