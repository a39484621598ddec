import { useMemo } from 'react';
import type { BlacklistMonitor } from '../../../api/types.ts';
import { aligned } from '../../../components/chart/align.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import { useZoom } from '../../../components/chart/use-zoom.ts';
import { number } from '../../../texts/format.ts';
import type { Score } from '../queries.ts';
import { texts } from '../texts/texts.ts';

const HOUR_MS = 3_600_000;
const STEPS_MS = { hourly: HOUR_MS, daily: 24 * HOUR_MS, weekly: 168 * HOUR_MS };
const SCORE_MAX = 100;

interface ScoreChartProps {
  scores: readonly Score[];
  frequency: BlacklistMonitor['frequency'];
}

/** The score of the stored checks. Checks without an answer are gaps. */
export default function ScoreChart({ scores, frequency }: ScoreChartProps) {
  const [zoom, setZoom] = useZoom();
  const { times, series } = useMemo(() => {
    const points = scores.flatMap(({ at, score }) => (score === null ? [] : [{ t: at, v: score }]));
    return aligned([{ label: texts.one.score, points }], STEPS_MS[frequency]);
  }, [scores, frequency]);
  const whole = useMemo(() => {
    const ends = [scores[0]?.at, scores.at(-1)?.at].map((at) => (at === undefined ? Date.now() : Date.parse(at)));
    const [fromMs = 0, toMs = 0] = ends;
    return { fromMs, toMs: Math.max(toMs, fromMs + 1) };
  }, [scores]);
  return (
    <Chart
      {...{ title: texts.scores.title, unit: texts.scores.unit, times, series, atLeast: SCORE_MAX, format: number }}
      {...{ range: zoom ?? whole, isZoomed: zoom !== null, onRange: setZoom }}
    />
  );
}
