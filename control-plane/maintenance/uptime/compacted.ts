import { createHash } from 'node:crypto';
import type { PastWindowDocument, Span, Targets } from '../documents.js';
import { joined, spansOf } from '../schedule/occurrences.js';

/** Times of one document. Of more, the newest are kept; the others count in uptime if it is computed again. */
const SPANS_MAX = 5_000;

/** What becomes of all earlier versions of a workspace's windows. */
interface Compacted {
  /** As they are. */
  kept: PastWindowDocument[];
  /** The ids of those that `added` stand for. */
  removed: string[];
  added: PastWindowDocument[];
}

/**
 * Returns the earlier versions with one for all that have the same targets: it has the times that these left out, since `sinceMs`.
 * A version whose schedule cannot be computed stays as it is. Pure.
 */
export function compacted(all: readonly PastWindowDocument[], sinceMs: number): Compacted {
  const kept: PastWindowDocument[] = [];
  const groups = new Map<string, { one: PastWindowDocument; spans: Span[] }[]>();
  for (const one of all) {
    const spans = leftOutOf(one, sinceMs);
    if (spans === null) {
      kept.push(one);
      continue;
    }
    const key = targetsKey(one);
    groups.set(key, [...(groups.get(key) ?? []), { one, spans }]);
  }
  const several = [...groups].filter(([, group]) => group.length > 1);
  for (const [, [only, ...others]] of groups) if (only !== undefined && others.length === 0) kept.push(only.one);
  return {
    kept,
    removed: several.flatMap(([, group]) => group.map(({ one }) => one._id)),
    added: several.flatMap(([key, group]) => compactOf(key, group) ?? []),
  };
}

/** Returns the times that a version left out; null if they cannot be computed. */
function leftOutOf(one: PastWindowDocument, sinceMs: number): Span[] | null {
  const fromMs = Math.max(one.from_ms, sinceMs);
  if (fromMs >= one.until_ms) return [];
  try {
    return (one.spans ?? spansOf(one, fromMs, one.until_ms)).flatMap((span) => {
      const part = { from_ms: Math.max(span.from_ms, fromMs), to_ms: Math.min(span.to_ms, one.until_ms) };
      return part.from_ms < part.to_ms ? [part] : [];
    });
  } catch {
    return null;
  }
}

/** Returns null if nothing was left out. */
function compactOf(
  key: string,
  group: readonly { one: PastWindowDocument; spans: Span[] }[],
): PastWindowDocument | null {
  const spans = joined(group.flatMap((each) => each.spans)).slice(-SPANS_MAX);
  const [first, last, newest] = [spans[0], spans.at(-1), group.at(-1)?.one];
  if (first === undefined || last === undefined || newest === undefined) return null;
  const { workspace_id, everything, monitor_ids, server_ids, tags } = newest;
  return {
    _id: `compact/${workspace_id}/${key}`,
    workspace_id,
    from_ms: first.from_ms,
    until_ms: last.to_ms,
    starts_at_ms: first.from_ms,
    ends_at_ms: first.from_ms,
    recurrence: null,
    extension: null,
    cut: null,
    everything,
    monitor_ids,
    server_ids,
    tags,
    spans,
    expires_at: new Date(Math.max(...group.map(({ one }) => one.expires_at.getTime()))),
  };
}

function targetsKey({ everything, monitor_ids, server_ids, tags }: Targets): string {
  const lists = [monitor_ids, server_ids, tags].map((list) => [...list].sort());
  return createHash('sha256')
    .update(JSON.stringify([everything, ...lists]))
    .digest('hex');
}
