import { useQuery } from '@tanstack/react-query';
import { milliseconds, number } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { Line } from './line.tsx';
import { SHOWN_METRICS } from './metric-values.ts';
import { metricsQuery } from './queries.ts';

const words = texts.health;
const SECOND_MS = 1_000;
const MIB = 1_048_576;

const SHOW = {
  seconds: (value: number) => milliseconds(value * SECOND_MS),
  count: (value: number) => number(value),
  bytes: (value: number) => `${number(Math.round(value / MIB))} MiB`,
} as const;

/** Some values of the control plane that answered, if its metrics are open to this browser. */
export function Metrics() {
  const { data: values } = useQuery(metricsQuery);
  if (values === undefined) return null;
  return (
    <section className="panel">
      <h2>{words.controlPlane}</h2>
      {values === null ? (
        <p>{words.noMetrics}</p>
      ) : (
        <ul className="rows" aria-label={words.controlPlane}>
          {SHOWN_METRICS.flatMap(({ name, unit, most }) => {
            const value = values.get(name);
            if (value === undefined) return [];
            return (
              <Line key={name} ok={value <= most}>
                <span title={name}>{words.metrics[name](SHOW[unit](value), value)}</span>
              </Line>
            );
          })}
        </ul>
      )}
    </section>
  );
}
