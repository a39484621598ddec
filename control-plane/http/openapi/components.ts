type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** Under these stand values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['examples', 'example', 'default', 'const', 'enum', 'required']);

/**
 * Moves every schema that has a `title` among the components, once, under that name, and leaves a reference in its
 * place: so the document names its objects, and whoever makes a client of it gets types with names. Throws when
 * two schemas have one title.
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
      throw new Error(`Two schemas of the API are called ${title}.`);
    }
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  }

  // Through JSON, as it goes out: schemas carry symbols of their library.
  return { tree: walk(JSON.parse(JSON.stringify(tree))), schemas };
}
