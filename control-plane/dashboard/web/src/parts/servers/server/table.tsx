import type { ReactNode } from 'react';

interface TableProps {
  title: string;
  columns: readonly { label: string; isRight?: boolean; title?: string }[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A table that scrolls by itself on narrow screens. The first cell of a row is its heading. */
export function Table({ title, columns, rows }: TableProps) {
  const sideOf = (index: number) => (columns[index]?.isRight === true ? 'right' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-scroll device-table" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(({ label, title: meaning }, index) => (
              <th key={label} scope="col" className={sideOf(index)} title={meaning}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [heading, ...cells] }) => (
            <tr key={key}>
              <th scope="row" className="row-heading">
                {heading}
              </th>
              {cells.map((cell, index) => (
                <td key={index} className={sideOf(index + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
