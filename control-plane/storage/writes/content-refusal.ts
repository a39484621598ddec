/**
 * Numbers of the server's errors for a document that it will never accept: bad value, failed to parse, type mismatch,
 * overflow, invalid length, failed validation, invalid BSON, `$`, empty or dotted field names, invalid `_id`, missing
 * shard key, immutable field, arrays that cannot be indexed together, and a document that is too large.
 * Source: https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const ERROR_NUMBERS: ReadonlySet<number> = new Set([
  2, 9, 14, 15, 16, 22, 52, 53, 56, 57, 61, 66, 121, 171, 10_334, 17_280, 17_419, 17_420,
]);

/** Names of the driver's errors for a document that it cannot encode. It has sent nothing then. */
const ERROR_NAMES: ReadonlySet<string> = new Set([
  'BSONError',
  'BSONVersionError',
  'BSONOffsetError',
  'MongoInvalidArgumentError',
  'RangeError',
]);

/**
 * Returns whether the database refuses a document for what it contains. Every other error, such as a full disk or a
 * missing right, says nothing about the document.
 */
export function isContentRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'number') return ERROR_NUMBERS.has(error.code);
  return error instanceof Error && ERROR_NAMES.has(error.name);
}
