/**
 * Returns the segments with those parts marked that are in `spans`: time of planned maintenance that does not count in uptime.
 * Both are in order and without overlap. Pure; takes time in proportion to the number of segments and spans.
 */
export function markLeftOut<Segment extends { from_ms: number; to_ms: number; left_out?: true }>(
  segments: Segment[],
  spans: readonly { from_ms: number; to_ms: number }[],
): Segment[] {
  if (spans.length === 0) return segments;
  const marked: Segment[] = [];
  let first = 0;
  for (const segment of segments) {
    let fromMs = segment.from_ms;
    while ((spans[first]?.to_ms ?? Number.POSITIVE_INFINITY) <= fromMs) first++;
    for (let index = first; fromMs < segment.to_ms; index++) {
      const span = spans[index];
      const startMs = Math.max(fromMs, Math.min(span?.from_ms ?? segment.to_ms, segment.to_ms));
      if (startMs > fromMs) marked.push({ ...segment, from_ms: fromMs, to_ms: startMs });
      fromMs = Math.min(span?.to_ms ?? segment.to_ms, segment.to_ms);
      if (fromMs > startMs) marked.push({ ...segment, from_ms: startMs, to_ms: fromMs, left_out: true });
    }
  }
  return marked;
}
