import type { Incident } from '../../api/types.ts';

/** Checks of one outage fail within their intervals: between two of its incidents there is less than this. */
const GAP_MS_MAX = 60_000;
/** Between its first and its last, so that steady failures of other causes are not one outage for ever. */
const OUTAGE_MS_MAX = 300_000;
/** More than the lists of the overview have rows. As long as all names fit, they say more than their number. */
const OBJECTS_MIN = 9;

/** What says whether two rows are of one outage. */
export interface Start {
  /** What failed, and whatever else the rows must have in common. */
  cause: string;
  at: string;
  /** The id of what failed. */
  object: string;
}

/**
 * Returns rows in their order, those of one outage as one group where its first row was: the same cause, one soon after the other.
 * All others are groups of one. `startOf` is null for a row that always stands for itself. Pure.
 */
export function together<Row>(rows: readonly Row[], startOf: (row: Row) => Start | null): Row[][] {
  const starts = rows.flatMap((row) => {
    const start = startOf(row);
    return start === null ? [] : [{ row, ...start, atMs: Date.parse(start.at) }];
  });
  const groupOf = new Map<Row, Row[]>();
  for (const one of new Set(starts.map(({ cause }) => cause))) {
    const chains: (typeof starts)[] = [];
    for (const start of starts.filter(({ cause }) => cause === one).sort((a, b) => a.atMs - b.atMs)) {
      const chain = chains.at(-1);
      const [first, last] = [chain?.at(0), chain?.at(-1)];
      const isNext = last !== undefined && start.atMs - last.atMs <= GAP_MS_MAX;
      if (isNext && first !== undefined && start.atMs - first.atMs <= OUTAGE_MS_MAX) chain?.push(start);
      else chains.push([start]);
    }
    for (const chain of chains) {
      if (new Set(chain.map(({ object }) => object)).size < OBJECTS_MIN) continue;
      const rowsOfChain = new Set(chain.map(({ row }) => row));
      const group = rows.filter((row) => rowsOfChain.has(row));
      for (const row of group) groupOf.set(row, group);
    }
  }
  return rows.flatMap((row) => {
    const group = groupOf.get(row);
    if (group === undefined) return [[row]];
    return group[0] === row ? [group] : [];
  });
}

/** Returns the code of the error of a monitor's outage; null for other incidents, and without one. Pure. */
export function errorOf({ kind, facts }: Pick<Incident, 'kind' | 'facts'>): string | null {
  return kind === 'monitor' && facts?.type === 'outage' ? (facts.error?.code ?? null) : null;
}
