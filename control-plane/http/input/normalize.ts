import type { FieldError, FieldErrorCode } from '../../errors.js';
import { FIELD_ERRORS_MAX } from './error-limits.js';
import type { SchemaOutline } from './schema-outline.js';
import { NO_CONTROLS_MESSAGE, pointerToken } from './strings.js';

const CONTROLS = /[\p{Cc}\p{Cs}]/u;
/** The only characters that verbatim text must not contain: neither the database nor the protocols can carry them. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Far more than the name of any field. A longer name is not read: its pointer alone would take long to write. */
const FIELD_NAME_CHARS_MAX = 1_000;

export interface Normalized {
  value: unknown;
  errors: FieldError[];
  /** false when a part was left out because the schema refuses it. The rest is then invalid for the same reason. */
  complete: boolean;
}

/** The place of a value; null is the place of the whole. Its pointer is written only for an error. */
type Place = { parent: Place; token: string | number } | null;

/**
 * Trims every string of a parsed body in place, before its length is validated, and returns an error for every control
 * character, up to `FIELD_ERRORS_MAX`. Text that the schema marks as `verbatim` stays unchanged.
 *
 * Only as much is kept as the schema can allow and an error can name: of an array one item more than its limit, of an
 * object every field that the schema names and a few others. So the time and the number of errors of the validation
 * depend on the schema and not on what was sent: a validator creates several errors for each item of a list.
 */
export function normalized(value: unknown, outline: SchemaOutline): Normalized {
  const errors: FieldError[] = [];
  let complete = true;
  const refuse = (place: Place, message: string, code: FieldErrorCode) => {
    if (errors.length < FIELD_ERRORS_MAX) errors.push({ path: pointer(place), message, code });
  };

  function normalizeText(text: string, verbatim: boolean, parent: Place, token: string | number): string {
    const clean = verbatim ? text : text.trim();
    if ((verbatim ? UNSTORABLE : CONTROLS).test(clean)) refuse({ parent, token }, NO_CONTROLS_MESSAGE, 'controls');
    return clean;
  }

  function normalizePart(inner: unknown, part: SchemaOutline, parent: Place, token: string | number): unknown {
    if (typeof inner === 'string') return normalizeText(inner, part.verbatim, parent, token);
    // Where the schema allows only scalars, the validation refuses an object whatever it contains.
    if (typeof inner !== 'object' || inner === null || part.isScalar) return inner;
    return normalizeParts(inner, part, { parent, token });
  }

  function normalizeParts(inner: object, part: SchemaOutline, place: Place): object {
    if (!Array.isArray(inner)) return normalizeFields(inner as Record<string, unknown>, part, place);
    if (part.itemsMax !== null && inner.length > part.itemsMax + 1) {
      complete = false;
      inner.length = part.itemsMax + 1;
    }
    for (let index = 0; index < inner.length; index++) {
      inner[index] = normalizePart(inner[index], part.item, place, index);
    }
    return inner;
  }

  function normalizeFields(fields: Record<string, unknown>, part: SchemaOutline, place: Place): object {
    const all = Object.keys(fields);
    const names = keptNames(all, part);
    const kept: Record<string, unknown> = names === all ? fields : {};
    if (names !== all) complete = false;
    for (const name of names) {
      const known = part.field(name);
      // JSON.parse creates it as an ordinary field, and a later copy could turn it into a prototype.
      if (name === '__proto__') refuse({ parent: place, token: name }, 'is not a known field', 'unknown_field');
      else if (name.length > FIELD_NAME_CHARS_MAX) {
        delete kept[name];
        refuse(
          { parent: place, token: name.slice(0, FIELD_NAME_CHARS_MAX) },
          'is not a known field: its name is too long',
          'unknown_field',
        );
      } else if (CONTROLS.test(name))
        refuse({ parent: place, token: name }, 'has a control character in its name', 'controls');
      // A field that the schema refuses is not read: it is an error, whatever it contains.
      else kept[name] = known === null ? fields[name] : normalizePart(fields[name], known, place, name);
    }
    return kept;
  }

  if (typeof value !== 'object' || value === null) return { value, errors, complete };
  return { value: normalizeParts(value, outline, null), errors, complete };
}

/** Returns the names of the fields that are kept: the same array if all are. */
function keptNames(names: string[], part: SchemaOutline): string[] {
  const othersMax = Math.max(part.fieldsMax ?? 0, FIELD_ERRORS_MAX) + 1;
  if (names.length <= othersMax) return names;
  let others = 0;
  const isLimited = (name: string) => part.field(name) === null || (part.fieldsMax !== null && !part.isNamed(name));
  const kept = names.filter((name) => !isLimited(name) || ++others <= othersMax);
  return kept.length === names.length ? names : kept;
}

function pointer(place: Place): string {
  const tokens: string[] = [];
  for (let at = place; at !== null; at = at.parent) tokens.push(`/${pointerToken(String(at.token))}`);
  return tokens.reverse().join('');
}
