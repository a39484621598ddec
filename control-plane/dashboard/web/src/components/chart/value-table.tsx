import { Button } from '@mantine/core';
import { useState } from 'react';
import { ExactTime } from '../time/exact-time.tsx';
import { chartTime } from './axis-times.ts';
import type { ChartBand } from './bands.ts';
import type { ChartSeries } from './lines.ts';
import { texts } from './texts/texts.ts';

/** A table of a year would be slow. */
const ROWS = 100;

interface ValueTableProps {
  title: string;
  lines: readonly ChartSeries[];
  times: readonly number[];
  bands: readonly ChartBand[];
  shown: readonly [number, number];
  spanMs: number;
  format(value: number): string;
}

/** The numbers of a chart, the newest first. */
export function ValueTable({ title, lines, times, bands, shown: [from, to], spanMs, format }: ValueTableProps) {
  const [rows, setRows] = useState(ROWS);
  const indexes = Array.from({ length: to - from }, (_, offset) => to - 1 - offset).filter((index) =>
    lines.some(({ values }) => typeof values[index] === 'number'),
  );
  return (
    <>
      {bands.length === 0 ? null : (
        <>
          <h3>{texts.events}</h3>
          <ul>
            {bands.map(({ kind, label, fromMs, toMs }) => (
              <li key={`${fromMs} ${label}`} className="wrap">
                {chartTime(fromMs, spanMs)} – {chartTime(toMs, spanMs)} {texts[kind](label)}
              </li>
            ))}
          </ul>
        </>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-scroll chart-values" tabIndex={0} aria-label={texts.table(title)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              {lines.map(({ label }) => (
                <th key={label} scope="col" className="right">
                  <bdi>{label}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {indexes.slice(0, rows).map((index) => {
              const at = new Date(times[index] ?? 0).toISOString();
              return (
                <tr key={at}>
                  <th scope="row">
                    <ExactTime at={at} isInLink>
                      {chartTime(times[index] ?? 0, spanMs)}
                    </ExactTime>
                  </th>
                  {lines.map(({ label, values }) => {
                    const value = values[index];
                    return (
                      <td key={label} className="right">
                        {typeof value === 'number' ? format(value) : '–'}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {indexes.length <= rows ? null : (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setRows(rows + ROWS)}>
            {texts.older}
          </Button>
        </div>
      )}
    </>
  );
}
