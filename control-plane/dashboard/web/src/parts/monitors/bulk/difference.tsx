import { Button } from '@mantine/core';
import type { BulkPreview } from '../../../api/types.ts';
import { fieldWord, valueWords } from './change-words.ts';
import { texts } from './texts/texts.ts';

interface DifferenceProps {
  pages: readonly BulkPreview[];
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

/** The changes that many monitors have in common, and then each monitor with its own. */
export function Difference({ pages, list }: DifferenceProps) {
  const [first] = pages;
  if (first === undefined) return null;
  const rows = pages.flatMap((page) => page.rows);
  const isNew = first.operation === 'add';
  // New monitors mostly differ in their addresses only.
  const common = first.groups.filter(({ monitors }) => isNew && monitors === first.changed).map(({ field }) => field);
  return (
    <>
      <ul className="bulk-groups">
        {first.groups.map(({ field, from, to, monitors }) => (
          <li key={`${field} ${JSON.stringify([from, to])}`} className="wrap">
            {isNew
              ? texts.preview.groupNew(fieldWord(field), valueWords(field, to), monitors)
              : texts.preview.group(fieldWord(field), valueWords(field, from), valueWords(field, to), monitors)}
          </li>
        ))}
      </ul>
      {rows.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="bulk-rows" tabIndex={0} aria-label={isNew ? texts.preview.settings : texts.preview.changes}>
          <table>
            <thead>
              <tr>
                <th>{texts.preview.monitor}</th>
                <th>{isNew ? texts.preview.settings : texts.preview.changes}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={row.id ?? `new ${index}`}>
                  <td>
                    <bdi className="two-lines">{row.name}</bdi>
                  </td>
                  <td>
                    <Row row={row} isNew={isNew} common={common} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {list.hasNextPage ? (
            <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
              {texts.preview.more}
            </Button>
          ) : null}
        </section>
      )}
    </>
  );
}

interface RowProps {
  row: BulkPreview['rows'][number];
  isNew: boolean;
  /** Fields that are the same for all, and shown above. */
  common: readonly string[];
}

function Row({ row, isNew, common }: RowProps) {
  if (row.result === 'refused') {
    return (
      <ul className="tone-down">
        {row.reasons.map((reason) => (
          <li key={reason} className="wrap">
            {reason}
          </li>
        ))}
      </ul>
    );
  }
  const fields = Object.entries(row.changes).filter(([field]) => field !== 'name' && !common.includes(field));
  return (
    <ul>
      {fields.map(([field, { from, to }]) => (
        <li key={field} className="wrap">
          {fieldWord(field)}: {isNew ? null : <>{valueWords(field, from)} → </>}
          <bdi>{valueWords(field, to)}</bdi>
        </li>
      ))}
    </ul>
  );
}
