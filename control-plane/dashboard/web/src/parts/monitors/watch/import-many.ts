import { call } from '../../../api/client.ts';
import type { ImportReport, One } from '../../../api/types.ts';
import { sentence } from '../../../texts/sentence.ts';
import type { Wanted } from './suggest-many.ts';

/** One transaction of the API. A slow machine takes long for more. */
const PART = 50;

/** What became of the list: the ids of the new monitors, or what is wrong with which entry. */
export type Imported = { ids: string[] } | { problems: ReadonlyMap<number, string> };

interface ImportNeeds {
  wanted: readonly Wanted[];
  intervalS: number;
  /** What to say of a name that a monitor has already. */
  nameTaken: string;
  /** Called after each part with how many exist. */
  progress(created: number): void;
}

/**
 * Creates monitors in parts. A dry run of all parts comes first: an entry with the name of a monitor that exists would
 * change that monitor, and a list with a wrong entry in its middle would be half done. Throws ApiProblem.
 */
export async function importMany({ wanted, intervalS, nameTaken, progress }: ImportNeeds): Promise<Imported> {
  const entries = wanted.map((one) => ({ ...one, interval_seconds: intervalS }));
  const problems = twiceIn(wanted, nameTaken);
  for (let first = 0; first < entries.length; first += PART) {
    const { monitors } = await send(entries.slice(first, first + PART), true);
    monitors.forEach(({ action, reasons }, index) => {
      if (action !== 'created')
        problems.set(first + index, reasons.length > 0 ? reasons.map(sentence).join(' ') : nameTaken);
    });
  }
  if (problems.size > 0) return { problems };
  const ids: string[] = [];
  for (let first = 0; first < entries.length; first += PART) {
    const { monitors } = await send(entries.slice(first, first + PART), false);
    ids.push(...monitors.flatMap(({ id }) => (id === null ? [] : [id])));
    progress(ids.length);
  }
  return { ids };
}

function twiceIn(wanted: readonly Wanted[], problem: string): Map<number, string> {
  const seen = new Set<string>();
  const twice = wanted.flatMap(({ name }, index): [number, string][] => {
    const isSeen = seen.has(name);
    seen.add(name);
    return isSeen ? [[index, problem]] : [];
  });
  return new Map(twice);
}

async function send(monitors: readonly object[], isDryRun: boolean): Promise<ImportReport> {
  const path = `/v1/monitors/import${isDryRun ? '?dry_run=true' : ''}`;
  return (await call<One<ImportReport>>('POST', path, { version: 1, monitors })).data;
}
