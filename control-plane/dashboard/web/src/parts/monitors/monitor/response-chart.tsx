import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Incident, Monitor } from '../../../api/types.ts';
import { aligned, resolutionMs } from '../../../components/chart/align.ts';
import type { ChartBand } from '../../../components/chart/bands.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import { useZoom } from '../../../components/chart/use-zoom.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { milliseconds } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';
import { bandsQuery, responseQuery } from './queries.ts';
import { pointDistanceMs, RANGES, rangeOf } from './range.ts';
import { words } from './texts/texts.ts';

const PREFIX = 'response_time_ms:';
const NO_SERIES = { times: [], series: [] };

/** The response time of each location, with the incidents as bands. */
export function ResponseChart({ monitor }: { monitor: Monitor }) {
  const { range: named } = useSearch({ strict: false }) as { range?: string };
  const name = rangeOf(named);
  const navigate = useNavigate();
  const city = useCity();
  const [zoom, setZoom] = useZoom();
  const { data, error } = useQuery(responseQuery(monitor.id, name, zoom));
  const incidents = useQuery(bandsQuery(monitor.id)).data;
  const intervalMs = monitor.interval_seconds * 1_000;
  const shown = useMemo(() => {
    if (data === undefined) return NO_SERIES;
    const { resolution, series } = data.metrics;
    const byLocation = Object.entries(series).filter(([key]) => key.startsWith(PREFIX));
    return aligned(
      byLocation.map(([key, points]) => ({ label: city(key.slice(PREFIX.length)), points })),
      pointDistanceMs(resolutionMs(resolution), intervalMs),
    );
  }, [data, intervalMs, city]);
  const bands = useMemo(() => bandsOf(incidents ?? []), [incidents]);
  const range = useMemo(() => data?.range ?? { fromMs: Date.now() - 1, toMs: Date.now() }, [data]);
  const choose = (value: string) => {
    void navigate({ to: '.', search: { range: value }, replace: true, resetScroll: false });
  };
  const resolution = words.response.resolutions[data?.metrics.resolution ?? ''];
  return (
    <div>
      <ActionProblem error={error} />
      <Chart
        {...{ title: words.response.title, unit: words.response.unit, format: milliseconds, ...shown, bands, range }}
        {...{ isZoomed: zoom !== null, onRange: setZoom, isLoading: data === undefined }}
        note={resolution === undefined ? words.response.raw : words.response.note(resolution)}
        controls={
          <SegmentedControl
            {...{ size: 'xs', value: name, onChange: choose, transitionDuration: 0 }}
            aria-label={words.response.ranges}
            data={RANGES.map((value) => ({ value, label: words.response.range[value] }))}
          />
        }
      />
    </div>
  );
}

function bandsOf(incidents: readonly Incident[]): ChartBand[] {
  return incidents
    .filter(({ kind }) => kind === 'monitor')
    .map(({ started_at, resolved_at, message }) => ({
      fromMs: Date.parse(started_at),
      toMs: resolved_at === null ? Date.now() : Date.parse(resolved_at),
      kind: 'incident',
      label: message,
    }));
}
