import { lineColour, lineMark, type Scheme } from './line-styles.ts';
import { type ChartSeries, figuresOf } from './lines.ts';
import { texts } from './texts/texts.ts';

interface LegendProps {
  title: string;
  lines: readonly ChartSeries[];
  /** Indexes of the values that are shown: from, and up to but without. */
  shown: readonly [number, number];
  /** What is at the cursor; null while it is elsewhere. */
  cursor: { time: string; values: readonly (number | null)[] } | null;
  scheme: Scheme;
  format(value: number): string;
}

/** The lines with their values: at the cursor, and over the range that is shown. */
export function Legend({ title, lines, shown: [from, to], cursor, scheme, format }: LegendProps) {
  const show = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value));
  const className = `table-scroll chart-legend ${cursor === null ? 'chart-idle' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={className} tabIndex={0} aria-label={texts.legend(title)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.line}</th>
            <th scope="col" className="right chart-at">
              {cursor?.time ?? texts.value}
            </th>
            <th scope="col" className="right">
              {texts.last}
            </th>
            <th scope="col" className="right">
              {texts.median}
            </th>
            <th scope="col" className="right">
              <abbr title={texts.p95}>{texts.p95Short}</abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, values }, index) => {
            const { last, median, p95 } = figuresOf(values, from, to);
            return (
              <tr key={label}>
                <th scope="row" className="chart-line">
                  <LineMark index={index} scheme={scheme} />
                  <bdi className="cut">{label}</bdi>
                </th>
                <td className="right chart-at">{show(cursor?.values[index])}</td>
                <td className="right">{show(last)}</td>
                <td className="right">{show(median)}</td>
                <td className="right">{show(p95)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function LineMark({ index, scheme }: { index: number; scheme: Scheme }) {
  const colour = lineColour(scheme, index);
  return (
    <svg viewBox="-12 -5 24 10" width="24" height="10" aria-hidden="true">
      <path d="M-12 0h24" stroke={colour} strokeWidth="1.5" />
      <path d={lineMark(index)} fill={colour} />
    </svg>
  );
}
