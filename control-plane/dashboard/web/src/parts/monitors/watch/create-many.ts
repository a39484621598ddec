import { call } from '../../../api/client.ts';
import type { BulkChange, BulkRequest, ImportReport, One } from '../../../api/types.ts';
import { namedFieldError } from '../../../texts/fields/field-sentence.ts';
import type { Wanted } from './rows.ts';

/** Rows of one question. A slow machine takes long for more. */
const PART = 50;

/** What became of the list: the job that created all of it, or what is wrong with which entry. */
export type Created = { job: BulkChange } | { problems: ReadonlyMap<number, string> };

interface CreateNeeds {
  wanted: readonly Wanted[];
  intervalS: number;
  /** What to say of a name that a monitor has already. */
  nameTaken: string;
  /** Called with how many entries are known to be right or wrong. */
  progress(examined: number): void;
  /** Starts a bulk change when no other one is being applied. */
  start(request: BulkRequest): Promise<BulkChange>;
}

/**
 * Creates all monitors of a list, or none, in one job that can be undone. What is wrong is asked before, because the answer
 * then names every entry, and also the names that monitors have already. Throws ApiProblem.
 */
export async function createMany({ wanted, intervalS, nameTaken, progress, start }: CreateNeeds): Promise<Created> {
  const monitors = wanted.map((one) => ({ ...one, interval_seconds: intervalS }));
  const problems = twiceIn(wanted, nameTaken);
  for (let first = 0; first < monitors.length; first += PART) {
    const part = monitors.slice(first, first + PART);
    const report = await examined(part);
    report.monitors.forEach(({ action, errors }, index) => {
      if (action !== 'created')
        problems.set(first + index, errors.length > 0 ? errors.map(namedFieldError).join(' ') : nameTaken);
    });
    progress(first + part.length);
  }
  if (problems.size > 0) return { problems };
  return { job: await start({ operation: 'add', monitors }) };
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

async function examined(monitors: readonly object[]): Promise<ImportReport> {
  return (await call<One<ImportReport>>('POST', '/v1/monitors/import?dry_run=true', { version: 1, monitors })).data;
}
