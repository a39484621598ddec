import { Type } from 'typebox';
import { idPattern } from '../storage/ids.js';
import { EXAMPLE_MONITOR_ID } from './schema.js';

/** A browser shows fewer rows at once, and a URL of this many ids is far below what servers accept. */
const QUERY_IDS_MAX = 100;

const ONE = idPattern('mon').slice(1, -1);
const ID_CHARS = 'mon_'.length + 26;

/** Several monitors in a query: ids separated by commas. */
export const MonitorIds = Type.String({
  pattern: `^${ONE}(,${ONE}){0,${QUERY_IDS_MAX - 1}}$`,
  maxLength: QUERY_IDS_MAX * (ID_CHARS + 1),
  description: `IDs of monitors, separated by commas, at most ${QUERY_IDS_MAX}. Unknown ones are left out of the reply.`,
  examples: [EXAMPLE_MONITOR_ID],
});

/** Returns the ids of the parameter, each once. */
export function idsOf(parameter: string): string[] {
  return [...new Set(parameter.split(','))];
}
