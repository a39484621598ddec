import type { BulkPreview } from '../../../api/types.ts';
import { MoreButton } from '../../../components/more-button.tsx';
import { namedFieldError } from '../../../texts/fields/field-sentence.ts';
import { changeWords, fieldWord, groupWords, type Names, valueWords } from './change-words.ts';
import { texts } from './texts/texts.ts';
import { useNames } from './use-names.ts';

/** The API returns the most frequent ones. */
const GROUPS_MAX = 20;

interface DifferenceProps {
  pages: readonly BulkPreview[];
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

/** The changes that many monitors have in common, and then each monitor with its own. */
export function Difference({ pages, list }: DifferenceProps) {
  const names = useNames();
  const [first] = pages;
  if (first === undefined) return null;
  const rows = pages.flatMap((page) => page.rows);
  const isNew = first.operation === 'add';
  // New monitors mostly differ in their addresses only.
  const common = first.groups.filter(({ monitors }) => isNew && monitors === first.changed).map(({ field }) => field);
  return (
    <>
      <ul className="bulk-groups">
        {first.groups.map((group) => (
          <li key={JSON.stringify([group.field, group.from, group.to])} className="wrap">
            {groupWords(first.operation, group, names)}
          </li>
        ))}
      </ul>
      {first.groups.length < GROUPS_MAX ? null : <p className="soft">{texts.preview.moreGroups}</p>}
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
                    <Row {...{ row, isNew, common, names }} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <MoreButton list={list} label={texts.preview.more(first.changed + first.refused - rows.length)} />
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
  names: Names;
}

function Row({ row, isNew, common, names }: RowProps) {
  if (row.result === 'refused') {
    return (
      <ul className="tone-down">
        {row.errors.map((error) => (
          <li key={`${error.path} ${error.message}`} className="wrap">
            {namedFieldError(error)}
          </li>
        ))}
      </ul>
    );
  }
  const fields = Object.entries(row.changes).filter(([field]) => field !== 'name' && !common.includes(field));
  const wordsOf = (field: string, { from, to }: (typeof row.changes)[string]) =>
    isNew ? { before: null, after: valueWords(field, to, names) } : changeWords(field, { from, to }, names);
  return (
    <ul>
      {fields
        .map(([field, change]) => ({ field, ...wordsOf(field, change) }))
        .map(({ field, before, after }) => (
          <li key={field} className="wrap">
            {fieldWord(field)}: {before === null ? null : <>{before} → </>}
            <bdi>{after}</bdi>
          </li>
        ))}
    </ul>
  );
}
