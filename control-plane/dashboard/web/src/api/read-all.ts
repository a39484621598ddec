import { read } from './read.ts';
import type { Page } from './types.ts';

const PAGE_ROWS = 200;

/** All rows of a list, or the first ones of a very long list. */
export interface Rows<Row> {
  rows: Row[];
  isWhole: boolean;
}

/** Reads page after page of a list that is short by its nature, such as channels or members: at most `pagesMax`. */
export async function readAll<Row>(
  path: string,
  query: Record<string, string | undefined>,
  pagesMax: number,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < pagesMax && cursor !== null; page++) {
    const answer: Page<Row> = await read<Page<Row>>(path, { ...query, limit: String(PAGE_ROWS), cursor }, signal);
    rows.push(...answer.data);
    cursor = answer.next_cursor;
  }
  return { rows, isWhole: cursor === null };
}
