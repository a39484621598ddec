import type { TSchema } from 'typebox';

interface Node {
  type?: string | string[];
  examples?: unknown[];
  example?: unknown;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Node[];
  oneOf?: Node[];
  allOf?: Node[];
  properties?: Record<string, Node>;
  items?: Node;
  format?: string;
  pattern?: string;
  minimum?: number;
  minItems?: number;
}

/** Returns an example value of the schema, made from the examples of its parts. */
export function exampleOf(schema: TSchema | Record<string, unknown>): unknown {
  return example(schema as Node);
}

function example(node: Node): unknown {
  if (node.examples !== undefined && node.examples.length > 0) return node.examples[0];
  if (node.example !== undefined) return node.example;
  if (node.const !== undefined) return node.const;
  if (node.default !== undefined) return node.default;
  if (node.enum !== undefined) return node.enum[0];
  const branch = (node.anyOf ?? node.oneOf)?.[0];
  if (branch !== undefined) return example(branch);
  if (node.allOf !== undefined) return Object.assign({}, ...node.allOf.map(example));
  switch (Array.isArray(node.type) ? node.type[0] : node.type) {
    case 'object':
      return Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, inner]) => [name, example(inner)]));
    case 'array':
      return node.items === undefined ? [] : [example(node.items)];
    case 'string':
      return exampleText(node);
    case 'integer':
    case 'number':
      return node.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** Returns an example text. The pattern of an id starts with the id's prefix. */
function exampleText(node: Node): string {
  if (node.format === 'date-time') return '2026-01-31T12:00:00.000Z';
  if (node.format === 'uri') return 'https://example.com/';
  if (node.format === 'email') return 'owner@example.com';
  const prefix = /^\^([a-z]+)_\[/.exec(node.pattern ?? '')?.[1];
  return prefix === undefined ? 'text' : `${prefix}_01jjwzmz000000000000000000`;
}
