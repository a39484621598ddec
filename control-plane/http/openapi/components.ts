type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Keywords whose values are no schemas. */
const VALUES: ReadonlySet<string> = new Set(['examples', 'example', 'default', 'const', 'enum', 'required']);

/**
 * Moves every schema with a `title` to the components under that name and leaves a reference in its place, so that
 * generated clients have named types. Throws when two different schemas have the same title.
 */
export function hoistTitled(tree: unknown): { tree: unknown; schemas: Record<string, unknown> } {
  const schemas: Record<string, Json> = {};

  function walk(node: Json): Json {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const walked = Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, VALUES.has(name) ? value : walk(value)]),
    );
    const { title, ...schema } = walked;
    if (typeof title !== 'string') return walked;
    if (schemas[title] !== undefined && JSON.stringify(schemas[title]) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas of the API have the title ${title}.`);
    }
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  }

  // The copy through JSON drops the symbols that the schema library adds.
  return { tree: walk(JSON.parse(JSON.stringify(tree))), schemas };
}
