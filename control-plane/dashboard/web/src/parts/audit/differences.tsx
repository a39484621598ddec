import { fieldName } from '../../texts/fields/names.ts';
import { type Difference, detailName, wordOf } from './details.ts';
import { texts } from './texts/texts.ts';
import { Value } from './value.tsx';

/** What was changed: each field with its value before and after. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <table className="audit-differences">
      <caption className="only-spoken">{texts.differences}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.field}</th>
          <th scope="col">{texts.before}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row" className="wrap">
              {field === '' ? texts.value : detailName(field, texts.details, fieldName)}
            </th>
            <td>
              <del>
                <Value value={wordOf(field, from, texts.details)} />
              </del>
            </td>
            <td>
              <ins>
                <Value value={wordOf(field, to, texts.details)} />
              </ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
