import type { TSchema } from 'typebox';
import { closedSchema } from '../input/closed-schema.js';
import { NO_CONTROLS_PATTERN } from '../input/text.js';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Members = { [member: string]: Json };

/** What no store and no wire could carry; all else may stand in text that is taken as it is. */
const NO_NUL_PATTERN = '^[^\\u0000]*$';

/**
 * A request's schema as a client must understand it: closed, and with the rule about control characters, which the
 * validator applies to every string, on every string that has no narrower one. Without our own keyword.
 */
export function requestSchema(schema: TSchema): Members {
  return shown(JSON.parse(JSON.stringify(closedSchema(schema)))) as Members;
}

function shown(node: Json): Json {
  if (Array.isArray(node)) return node.map(shown);
  if (typeof node !== 'object' || node === null) return node;
  const { verbatim, ...rest } = node;
  const members: Members = {};
  for (const [name, value] of Object.entries(rest)) members[name] = VALUES.has(name) ? value : shown(value);
  if (isAnything(members)) return {};
  const isFree = members['type'] === 'string' && !NARROWER.some((keyword) => keyword in members);
  return isFree ? { ...members, pattern: verbatim === true ? NO_NUL_PATTERN : NO_CONTROLS_PATTERN } : members;
}

/** Under these stand values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['examples', 'example', 'default', 'const', 'enum', 'required']);
const NARROWER = ['pattern', 'enum', 'const', 'format'] as const;

/** A schema that only hands `verbatim` down, which nobody but our validator reads. */
function isAnything(members: Members): boolean {
  const isEmpty = (value: Json) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const entries = Object.entries(members);
  return entries.every(([name, value]) => ['additionalProperties', 'items'].includes(name) && isEmpty(value));
}
