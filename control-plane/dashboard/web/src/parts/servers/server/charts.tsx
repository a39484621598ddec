import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Server } from '../../../api/types.ts';
import { whenServed } from '../../../app/when-served.ts';
import { useZoom, type ZoomSearch } from '../../../components/chart/use-zoom.ts';
import { UnreadPart } from '../../../components/page/unread-page.tsx';
import { RANGE_MS, RANGES, type Range, type RangeSearch } from '../filter.ts';
import { historyQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

/** The code of charts loads with the first one. */
const HistoryCharts = lazy(() => whenServed(() => import('./history-charts.tsx')));

const DEFAULT_RANGE: Range = '1h';

/** The history of a server. The range and what was selected in a chart are in the URL. */
export function Charts({ server }: { server: Server }) {
  const { range = DEFAULT_RANGE }: RangeSearch = useSearch({ strict: false });
  const [zoom, setZoom] = useZoom();
  const history = useQuery(historyQuery(server.id, { spanMs: RANGE_MS[range], fixed: zoom }));
  const words = texts.charts;
  return (
    <>
      <div className="filters server-ranges">
        <RangeChoice range={range} />
        <span className="soft">{history.data === undefined ? '' : words.resolution[history.data.resolution]}</span>
      </div>
      {history.data === undefined ? (
        <UnreadPart error={history.error} retry={() => void history.refetch()} shape={<ChartSkeleton />} />
      ) : (
        <Suspense fallback={<ChartSkeleton />}>
          <HistoryCharts history={history.data} server={server} isZoomed={zoom !== null} select={setZoom} />
        </Suspense>
      )}
    </>
  );
}

function RangeChoice({ range }: { range: Range }) {
  const navigate = useNavigate();
  const choose = (value: string) => {
    const without = ({ from: _from, to: _to, ...old }: ZoomSearch & RangeSearch) => ({ ...old, range: value });
    void navigate({ to: '.', search: without, replace: true, resetScroll: false });
  };
  return (
    <SegmentedControl
      {...{ value: range, onChange: choose, transitionDuration: 0, 'aria-label': texts.charts.range }}
      data={RANGES.map((value) => ({ value, label: texts.charts.ranges[value] }))}
    />
  );
}

/** It has the height of charts, so that nothing below moves when they come. */
function ChartSkeleton() {
  return (
    <div className="server-charts">
      <section className="panel chart-skeleton" aria-busy="true" aria-label={texts.charts.loading} />
      <section className="panel chart-skeleton" aria-hidden="true" />
    </div>
  );
}
