import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isoTimes } from '../../retention/iso-times.js';
import type { SeriesPoint } from '../../retention/metrics-query.js';
import type { Resolution } from '../../retention/resolution.js';
import { pointsOf } from './points.js';
import type { SeriesBlock } from './series-block.js';

/** Text that is written in one piece: a few milliseconds. */
const PIECE_CHARS = 256 * 1024;

/** The answer of the metrics endpoint of a server. */
export interface ServerSeries {
  serverId: string;
  resolution: Resolution;
  blocks: readonly SeriesBlock[];
  /** Points that start in [fromMs, toMs) are written. */
  fromMs: number;
  toMs: number;
  /** Series that are written first, even without points. */
  named: readonly string[];
}

/**
 * Returns `{"data": …}` as a stream that is written series by series. Other work of this process runs in between: a
 * million points in one piece would take more than a second.
 */
export function seriesJson(answer: ServerSeries): Readable {
  return Readable.from(pieces(answer), { objectMode: false });
}

async function* pieces({ serverId, resolution, blocks, fromMs, toMs, named }: ServerSeries): AsyncGenerator<string> {
  const texts = new Map(blocks.map(({ times }) => [times, isoTimes(times)]));
  let piece = `{"data":{"server_id":${JSON.stringify(serverId)},"resolution":"${resolution}","series":{`;
  let separator = '';
  for (const name of seriesNames(blocks, named)) {
    const only = blocksOf(name, blocks);
    const pointOf = ({ times }: SeriesBlock) => {
      const starts = texts.get(times) ?? [];
      return (slot: number, v: number): SeriesPoint => ({ t: starts[slot] as string, v });
    };
    const points = pointsOf(only, fromMs, toMs, pointOf).get(name) ?? [];
    piece += `${separator}${JSON.stringify(name)}:${JSON.stringify(points)}`;
    separator = ',';
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
    await yieldToEventLoop();
  }
  yield `${piece}}}}`;
}

function seriesNames(blocks: readonly SeriesBlock[], named: readonly string[]): Set<string> {
  const others = new Set(blocks.flatMap(({ series }) => [...series.keys()]));
  return new Set([...named, ...[...others].sort()]);
}

function blocksOf(name: string, blocks: readonly SeriesBlock[]): SeriesBlock[] {
  return blocks.flatMap((block) => {
    const series = block.series.get(name);
    return series === undefined ? [] : [{ ...block, series: new Map([[name, series]]) }];
  });
}
