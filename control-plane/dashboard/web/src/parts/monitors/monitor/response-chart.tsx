import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Monitor } from '../../../api/types.ts';
import { aligned, resolutionMs } from '../../../components/chart/align.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import { useZoom } from '../../../components/chart/use-zoom.ts';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { milliseconds } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';
import { bandsOf } from './incident-bands.ts';
import { bandsQuery, responseQuery } from './queries.ts';
import { pointDistanceMs, RANGES, rangeOf } from './range.ts';
import { words } from './texts/texts.ts';

const PREFIX = 'response_time_ms:';
const NO_SERIES = { times: [], series: [] };

/** The response time of each location, with the incidents as bands. */
export function ResponseChart({ monitor }: { monitor: Monitor }) {
  const { range: named } = useSearch({ strict: false }) as { range?: string };
  const name = rangeOf(named, Date.now() - Date.parse(monitor.created_at));
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
  const bands = useMemo(() => bandsOf(incidents ?? [], Date.now()), [incidents]);
  const range = useMemo(() => data?.range ?? { fromMs: Date.now() - 1, toMs: Date.now() }, [data]);
  const choose = (value: string) => {
    void navigate({ to: '.', search: { range: value }, replace: true, resetScroll: false });
  };
  const resolution = words.response.resolutions[data?.metrics.resolution ?? ''];
  return (
    <div>
      <LoadProblem error={error} />
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
