import { useState } from 'react';
import { Time } from '../../../../components/time/time.tsx';
import { duration } from '../../../../texts/format.ts';
import { words } from '../texts/texts.ts';
import type { ComparedAlert } from './backtest-match.ts';

const ROWS = 20;

/** The alerts of the past and of the replay, with what would have become of them. */
export function BacktestAlerts({ alerts }: { alerts: readonly ComparedAlert[] }) {
  const [rows, setRows] = useState(ROWS);
  const { start, lasted, fate } = words.backtest.columns;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-scroll" tabIndex={0} aria-label={words.backtest.title}>
        <table>
          <thead>
            <tr>
              {[start, lasted, fate].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {alerts.slice(0, rows).map((alert) => (
              <tr key={alert.key} className={`backtest-${alert.fate}`}>
                <td>
                  <Time at={alert.startedAt} />
                </td>
                <td>
                  {alert.durationSeconds === null ? words.backtest.still : duration(alert.durationSeconds * 1_000)}
                </td>
                <td className="backtest-fate">{words.backtest.fate[alert.fate]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {alerts.length <= rows ? null : (
        <div>
          <button type="button" className="link" onClick={() => setRows(rows + ROWS)}>
            {words.results.older}
          </button>
        </div>
      )}
    </>
  );
}
