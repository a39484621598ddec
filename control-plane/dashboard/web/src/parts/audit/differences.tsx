import { type Difference, shownValue } from './details.ts';
import { texts } from './texts/texts.ts';

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
            <th scope="row" className="mono wrap">
              {field === '' ? texts.value : field}
            </th>
            <td>
              <del>
                <Value value={from} />
              </del>
            </td>
            <td>
              <ins>
                <Value value={to} />
              </ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value }: { value: unknown }) {
  const text = shownValue(value, texts);
  return text === null ? <span className="soft">{texts.nothing}</span> : <bdi className="wrap">{text}</bdi>;
}
