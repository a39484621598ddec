import { useMemo } from 'react';
import type { Server } from '../../../api/types.ts';
import { aligned, resolutionMs } from '../../../components/chart/align.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import type { TimeRange } from '../../../components/chart/plot.ts';
import type { History } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { load, rate, share } from '../units.ts';
import { chartsOf, type ServerChart } from './chart-list.ts';

interface HistoryChartsProps {
  history: History;
  server: Server;
  isZoomed: boolean;
  select(range: TimeRange | null): void;
}

const FORMATS = { percent: share, load, rate };

/** The charts of a server, with one cursor. */
export default function HistoryCharts({ history, server, isZoomed, select }: HistoryChartsProps) {
  const cores = server.inventory?.cpu_cores ?? null;
  const charts = useMemo(() => chartsOf(history.series, texts.charts, cores), [history, cores]);
  const range = useMemo(() => ({ fromMs: history.fromMs, toMs: history.toMs }), [history]);
  const stepMs = resolutionMs(history.resolution) || server.report_interval_seconds * 1_000;
  return (
    <div className="server-charts">
      {charts.map((chart) => (
        <OneChart key={chart.title} {...{ chart, range, stepMs, isZoomed, select }} syncKey={server.id} />
      ))}
    </div>
  );
}

interface OneChartProps extends Pick<HistoryChartsProps, 'isZoomed' | 'select'> {
  chart: ServerChart;
  range: TimeRange;
  stepMs: number;
  syncKey: string;
}

function OneChart({ chart, range, stepMs, isZoomed, select, syncKey }: OneChartProps) {
  const { title, unit, format, lines } = chart;
  const { times, series } = useMemo(() => aligned(lines, stepMs), [lines, stepMs]);
  return (
    <Chart
      {...{ title, unit, series, times, range, isZoomed, syncKey }}
      format={FORMATS[format]}
      onRange={select}
      {...(format === 'percent' ? { atLeast: 100 } : {})}
    />
  );
}
