import type { TObject } from 'typebox';
import type { FieldError } from '../../errors.js';

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;
const NUMBER = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/;

interface Property {
  type?: string | string[];
  anyOf?: Property[];
}

/**
 * Returns a query string as an object for validation. A value becomes a number or a boolean only if the schema of the
 * parameter says so and the text has the plain decimal form; otherwise it stays text, and the schema refuses it. Only text is
 * trimmed: ` 5` is no integer. A
 * repeated parameter is an error, because it would be unclear which value counts.
 */
export function parseQuery(
  querystring: string,
  schema: TObject | undefined,
): { value: Record<string, unknown>; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const value: Record<string, unknown> = Object.create(null);
  if (querystring === '') return { value, errors };
  for (const [name, text] of new URLSearchParams(querystring)) {
    if (Object.hasOwn(value, name)) errors.push({ path: `/${name}`, message: 'is repeated', code: 'duplicate' });
    const properties = (schema?.properties ?? {}) as Record<string, Property>;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    value[name] = coerce(text, typesOf(property));
  }
  return { value, errors };
}

function coerce(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('integer') && INTEGER.test(text)) return Number(text);
  if (types.has('number') && NUMBER.test(text)) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text.trim();
}

function typesOf(property: Property | undefined): Set<string> {
  if (property === undefined) return new Set();
  const own = typeof property.type === 'string' ? [property.type] : (property.type ?? []);
  return new Set([...own, ...(property.anyOf ?? []).flatMap((branch) => [...typesOf(branch)])]);
}
