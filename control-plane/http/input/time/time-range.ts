import { invalidField } from '../../../errors.js';
import { timestampAt } from './timestamp.js';

/** A range of time; a missing end is open. */
export interface TimeRange {
  fromMs?: number;
  toMs?: number;
}

/** Returns the range of the query parameters `from` and `to`. Throws 422 for a wrong timestamp or order. */
export function timeRange(from: string | undefined, to: string | undefined): TimeRange {
  const fromMs = from === undefined ? undefined : timestampAt(from, '/query/from');
  const toMs = to === undefined ? undefined : timestampAt(to, '/query/to');
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw invalidField('/query/from', 'must not be after to', 'order');
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}
