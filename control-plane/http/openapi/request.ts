import type { TSchema } from 'typebox';
import { closedSchema } from '../input/closed-schema.js';
import { NO_CONTROLS_PATTERN } from '../input/text.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

/** The pattern of verbatim text. Neither the database nor the protocols can carry NUL. */
const NO_NUL_PATTERN = '^[^\\u0000]*$';

/**
 * Returns a request schema for clients: closed, without our keyword `verbatim`, and with a pattern on every string that
 * has no narrower rule, because the validator refuses control characters in every string.
 */
export function requestSchema(schema: TSchema): Fields {
  return forClients(JSON.parse(JSON.stringify(closedSchema(schema)))) as Fields;
}

function forClients(node: Json): Json {
  if (Array.isArray(node)) return node.map(forClients);
  if (typeof node !== 'object' || node === null) return node;
  const { verbatim, ...rest } = node;
  const fields: Fields = {};
  for (const [name, value] of Object.entries(rest)) fields[name] = VALUES.has(name) ? value : forClients(value);
  if (isAnything(fields)) return {};
  const isFree = fields['type'] === 'string' && !NARROWER.some((keyword) => keyword in fields);
  return isFree ? { ...fields, pattern: verbatim === true ? NO_NUL_PATTERN : NO_CONTROLS_PATTERN } : fields;
}

/** Keywords whose values are no schemas. */
const VALUES: ReadonlySet<string> = new Set(['examples', 'example', 'default', 'const', 'enum', 'required']);
const NARROWER = ['pattern', 'enum', 'const', 'format'] as const;

/** Returns whether the schema allows any value: it only contained `verbatim` for its parts. */
function isAnything(fields: Fields): boolean {
  const isEmpty = (value: Json) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const entries = Object.entries(fields);
  return entries.every(([name, value]) => ['additionalProperties', 'items'].includes(name) && isEmpty(value));
}
