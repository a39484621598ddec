import { type Document, isScalar, visit } from 'yaml';
import { BODY_DEPTH_MAX } from '../http/input/strings.js';
import { documentOf } from './yaml-document.js';

/**
 * The program that parses one YAML file and ends: `yaml-file.ts` starts it with limited memory. It is a process and not a
 * thread, because a thread that runs out of memory can take the whole control plane with it.
 */

/** What the program answers: the value, or the end of the sentence "The body is not valid YAML: …". */
export type YamlOutcome = { value: unknown } | { problem: string };

/** Aliases of one anchor. Without this limit, aliases of aliases could expand a small file to any size. */
const ALIASES_MAX = 100;
/** More values than any JSON text of 1 MiB contains. YAML can name a part of the file and repeat it. */
const VALUES_MAX = 600_000;

process.once('message', (text: Uint8Array) => {
  process.send?.(outcomeOf(text), () => process.disconnect());
});

/** Parses YAML 1.2, which includes JSON, in UTF-8. */
function outcomeOf(text: Uint8Array): YamlOutcome {
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return { problem: 'it is not UTF-8' };
  }
  const document = documentOf(content);
  if (typeof document === 'string') return { problem: document };
  const repeated = repeatedKey(document);
  if (repeated !== null) return { problem: `the key ${repeated} appears twice in the same object` };
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    const { values, depth } = measured(value);
    if (depth > BODY_DEPTH_MAX) return { problem: `it is nested more than ${BODY_DEPTH_MAX} levels deep` };
    return values > VALUES_MAX ? { problem: 'its aliases repeat too much' } : { value };
  } catch {
    // There are too many aliases, or an alias without an anchor.
    return { problem: 'its aliases cannot be resolved' };
  }
}

function repeatedKey(document: Document.Parsed): string | null {
  let repeated: string | null = null;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) repeated = String(name);
        seen.add(name);
      }
    },
  });
  return repeated;
}

/** Counts a part each time that it is repeated, and stops at a limit, because the copy that is sent has every repeat. */
function measured(root: unknown): { values: number; depth: number } {
  const found = { values: 0, depth: 0 };
  const measure = (value: unknown, level: number): void => {
    found.values += 1;
    if (typeof value !== 'object' || value === null) return;
    found.depth = Math.max(found.depth, level);
    for (const part of Object.values(value)) {
      if (found.values > VALUES_MAX || found.depth > BODY_DEPTH_MAX) return;
      measure(part, level + 1);
    }
  };
  measure(root, 1);
  return found;
}
