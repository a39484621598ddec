import type { TSchema } from 'typebox';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/**
 * A copy in which every object refuses members that it does not name, unless it says otherwise: a slice that
 * forgets `additionalProperties: false` is strict all the same. The parts of an `allOf` stay open, since each
 * would refuse the members of the others.
 */
export function closedSchema<S extends TSchema>(schema: S): S {
  return close(JSON.parse(JSON.stringify(schema))) as S;
}

function close(node: Json): Json {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  const closed: { [member: string]: Json } = {};
  for (const [name, value] of Object.entries(node)) {
    // What stands under these is not a schema: it must come out as it went in.
    closed[name] = ['allOf', 'examples', 'example', 'default', 'const', 'enum', 'required'].includes(name)
      ? value
      : close(value);
  }
  const isObject = node['type'] === 'object' && node['properties'] !== undefined;
  const isOpen = node['additionalProperties'] === undefined && node['unevaluatedProperties'] === undefined;
  return isObject && isOpen && node['allOf'] === undefined ? { ...closed, additionalProperties: false } : closed;
}
