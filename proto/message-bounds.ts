import protobuf from 'protobufjs';

/** Why an encoded message must not be decoded. */
export interface BoundsViolation {
  /** The field or the rule that is violated, for a log line. */
  detail: string;
}

/**
 * Checks an encoded message without decoding it: it allocates nothing for the elements of repeated fields. Returns null
 * when the message can be decoded.
 */
export type BoundsCheck = (bytes: Uint8Array) => BoundsViolation | null;

interface FieldBound {
  name: string;
  /** Position of the counter of a repeated field; -1 for other fields. */
  counter: number;
  max: number;
  /** The fields of a message in this field; null for text, bytes and numbers. */
  nested: MessageBounds | null;
}

interface MessageBounds {
  fields: ReadonlyMap<number, FieldBound>;
  counters: number;
}

interface Scan {
  bytes: Uint8Array;
  at: number;
  fields: number;
  fieldsMax: number;
}

/** Wire types of protobuf: https://protobuf.dev/programming-guides/encoding/#structure */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;

const MALFORMED: BoundsViolation = { detail: 'it is not a valid message' };
const NO_COUNTERS = new Uint32Array(0);
const VARINT_BYTES_MAX = 10;

/**
 * Returns the check of one message type. `repeatedMax` has the limit of each repeated field of the type and of the types
 * in it, by `Type.field`. Throws when one is missing, so that no new field is without a limit.
 */
export function createBoundsCheck(
  type: protobuf.Type,
  repeatedMax: Readonly<Record<string, number>>,
  fieldsMax: number,
): BoundsCheck {
  const bounds = boundsOf(type, repeatedMax);
  return (bytes) => violation({ bytes, at: 0, fields: 0, fieldsMax }, bytes.length, bounds);
}

/** The messages of a node are not recursive, so this ends. */
function boundsOf(type: protobuf.Type, repeatedMax: Readonly<Record<string, number>>): MessageBounds {
  const fields = new Map<number, FieldBound>();
  let counters = 0;
  for (const declared of type.fieldsArray) {
    const field = declared.resolve();
    const name = `${type.name}.${field.name}`;
    const nested = field.resolvedType instanceof protobuf.Type ? boundsOf(field.resolvedType, repeatedMax) : null;
    if (field.map) throw new Error(`${name}: the check of encoded messages does not support maps`);
    if (!field.repeated) {
      fields.set(field.id, { name, counter: -1, max: Number.POSITIVE_INFINITY, nested });
      continue;
    }
    const max = repeatedMax[name];
    if (max === undefined) throw new Error(`${name}: a repeated field of a node needs a limit`);
    if (nested === null && field.type !== 'string' && field.type !== 'bytes') {
      throw new Error(`${name}: the check of encoded messages does not support repeated numbers`);
    }
    fields.set(field.id, { name, counter: counters, max, nested });
    counters += 1;
  }
  return { fields, counters };
}

function violation(scan: Scan, end: number, { fields, counters }: MessageBounds): BoundsViolation | null {
  const counts = counters === 0 ? NO_COUNTERS : new Uint32Array(counters);
  while (scan.at < end) {
    scan.fields += 1;
    if (scan.fields > scan.fieldsMax) return { detail: `it has more than ${scan.fieldsMax} fields` };
    const tag = readVarint(scan, end);
    if (tag === null) return MALFORMED;
    const wireType = tag % 8;
    const field = fields.get(Math.floor(tag / 8));
    if (wireType !== LENGTH || field === undefined) {
      if (!skip(scan, end, wireType)) return MALFORMED;
      continue;
    }
    const length = readVarint(scan, end);
    if (length === null || scan.at + length > end) return MALFORMED;
    if (field.counter >= 0) {
      const count = (counts[field.counter] ?? 0) + 1;
      if (count > field.max) return { detail: `${field.name} has more than ${field.max} elements` };
      counts[field.counter] = count;
    }
    if (field.nested === null) {
      scan.at += length;
      continue;
    }
    const found = violation(scan, scan.at + length, field.nested);
    if (found !== null) return found;
  }
  return null;
}

/** Returns false at the end of the message, and for the groups of older protobuf versions, which nodes do not send. */
function skip(scan: Scan, end: number, wireType: number): boolean {
  if (wireType === VARINT) return readVarint(scan, end) !== null;
  if (wireType === LENGTH) {
    const length = readVarint(scan, end);
    if (length === null) return false;
    scan.at += length;
  } else if (wireType === FIXED_64) scan.at += 8;
  else if (wireType === FIXED_32) scan.at += 4;
  else return false;
  return scan.at <= end;
}

/** Returns null at the end of the message. Large values lose precision, but never become smaller than the message. */
function readVarint(scan: Scan, end: number): number | null {
  let value = 0;
  let scale = 1;
  for (let read = 0; read < VARINT_BYTES_MAX && scan.at < end; read++) {
    const byte = scan.bytes[scan.at] as number;
    scan.at += 1;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
  return null;
}
