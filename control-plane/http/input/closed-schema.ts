import type { TSchema } from 'typebox';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Returns a copy in which every object refuses unknown fields, unless the schema says otherwise. So a schema without
 * `additionalProperties: false` is strict too. The branches of an `allOf` stay open, because each would refuse the
 * fields of the others.
 */
export function closedSchema<S extends TSchema>(schema: S): S {
  return close(JSON.parse(JSON.stringify(schema))) as S;
}

function close(node: Json): Json {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  const closed: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(node)) {
    // The values of these keywords are no schemas and must not change.
    closed[name] = ['allOf', 'examples', 'example', 'default', 'const', 'enum', 'required'].includes(name)
      ? value
      : close(value);
  }
  const isObject = node['type'] === 'object' && node['properties'] !== undefined;
  const isOpen = node['additionalProperties'] === undefined && node['unevaluatedProperties'] === undefined;
  return isObject && isOpen && node['allOf'] === undefined ? { ...closed, additionalProperties: false } : closed;
}
