import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { AuditEntry } from '../schema.js';

/** No entry is longer: metadata comes from requests of at most 1 MiB, even with every character escaped. */
const ENTRY_CHARS_MAX = 16 * 1024 * 1024;

/** The fields needed to verify an entry. Its hash covers all other fields, so changes to them show as well. */
const VerifiableEntry = Type.Object({
  id: Type.String(),
  timestamp: Type.String(),
  action: Type.String(),
  actor: Type.Object({ email: Type.String() }),
  workspace_id: Type.String(),
  hash: Type.Union([Type.String(), Type.Null()]),
  previous_hash: Type.Union([Type.String(), Type.Null()]),
});

/** One item of a JSON export. `number` counts from 1. */
export type ExportedItem = { number: number; entry: AuditEntry } | { number: number; entry: null; problem: string };

/** The file cannot be read as an export. */
export class NotAnExport extends Error {}

/** The file ends in the middle of an export. */
export class TruncatedExport extends Error {}

/**
 * Reads the entries of a JSON export (an array) or of JSON lines one by one, for files of any size and indentation.
 * Throws NotAnExport and TruncatedExport.
 */
export async function* readExport(chunks: AsyncIterable<string>): AsyncGenerator<ExportedItem> {
  const splitter = createSplitter();
  let number = 0;
  for await (const chunk of chunks) {
    for (const text of splitter.push(chunk)) yield itemOf(text, ++number);
  }
  if (splitter.isOpen()) throw new TruncatedExport(`it ends in the middle, after ${number} complete entries`);
}

function itemOf(text: string, number: number): ExportedItem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { number, entry: null, problem: 'is not JSON' };
  }
  return isEntry(value) ? { number, entry: value } : { number, entry: null, problem: 'is not an audit entry' };
}

function isEntry(value: unknown): value is AuditEntry & Static<typeof VerifiableEntry> {
  return Value.Check(VerifiableEntry, value);
}

/** Splits text into the objects at the top level or in one array. It only finds where each ends; JSON.parse validates. */
function createSplitter(): { push(chunk: string): Generator<string>; isOpen(): boolean } {
  let kept = '';
  let [depth, inString, escaped] = [0, false, false];
  let array: 'none' | 'open' | 'closed' = 'none';
  let isFirst = true;

  /** Accepts the characters between objects: commas, white space and the brackets of one array. */
  function between(char: string): void {
    if (/[\s,]/.test(char)) return;
    if (char === '[' && array === 'none' && isFirst) array = 'open';
    else if (char === ']' && array === 'open') array = 'closed';
    else {
      const found = isFirst ? 'it begins with' : 'between entries it has';
      throw new NotAnExport(`${found} ${JSON.stringify(char)}, where a JSON export has "[" or "{"`);
    }
  }

  /** Reads one character inside an object; returns true if it is the last one. */
  function ends(code: number): boolean {
    if (inString) {
      if (escaped) escaped = false;
      else if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN) depth += 1;
    else if (code === CLOSE) depth -= 1;
    return depth === 0;
  }

  return {
    isOpen: () => depth > 0 || array === 'open',
    *push(chunk) {
      let from = 0;
      for (let index = 0; index < chunk.length; index++) {
        const code = chunk.charCodeAt(index);
        if (depth === 0) {
          if (code !== OPEN || array === 'closed') {
            between(chunk.charAt(index));
            continue;
          }
          [depth, from, isFirst] = [1, index, false];
        } else if (ends(code)) {
          yield kept + chunk.slice(from, index + 1);
          kept = '';
        }
      }
      if (depth > 0) kept += chunk.slice(from);
      if (kept.length > ENTRY_CHARS_MAX) throw new NotAnExport('it has an entry longer than the maximum');
    },
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
