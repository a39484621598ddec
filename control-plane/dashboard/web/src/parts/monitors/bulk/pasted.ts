import type { CreateMonitor } from '../../../api/types.ts';
import { isOneUrl } from '../watch/one-url.ts';
import { type SuggestProblem, suggest } from '../watch/suggest.ts';

/** A line that cannot become a monitor; lines are counted from 1. */
interface BadLine {
  line: number;
  text: string;
  problem: SuggestProblem;
}

export interface PastedLines {
  monitors: CreateMonitor[];
  bad: BadLine[];
  /** How many lines have the address of an earlier one. They are left out. */
  repeated: number;
}

/**
 * Returns the monitors that lines mean: an address, or a name and an address with a comma, a semicolon or a tab between.
 * The name can contain commas: the address is what follows the last separator, or the URL at the end, which can have
 * separators itself. Empty lines are left out. Pure.
 */
export function pastedLines(text: string): PastedLines {
  const found: PastedLines = { monitors: [], bad: [], repeated: 0 };
  const seen = new Set<string>();
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const { name, address } = partsOf(line);
    const suggestion = suggest(address);
    if (typeof suggestion === 'string') {
      found.bad.push({ line: index + 1, text: line, problem: suggestion });
      continue;
    }
    const [choice] = suggestion.choices;
    if (choice === undefined) continue;
    const key = `${choice.type} ${choice.url}`;
    if (seen.has(key)) {
      found.repeated += 1;
      continue;
    }
    seen.add(key);
    found.monitors.push({ name: unquoted(name) || suggestion.name, ...choice });
  }
  return found;
}

function partsOf(line: string): { name: string; address: string } {
  if (isOneUrl(line)) return { name: '', address: line };
  const [, named = '', url = ''] = /^(.*?)[,;\t]\s*(https?:\/\/\S+)$/i.exec(line) ?? [];
  if (isOneUrl(url)) return { name: named, address: url };
  const [, name = '', address = line] = /^(.*)[,;\t]\s*([^,;\t]+)$/.exec(line) ?? [];
  return { name, address };
}

/** Spreadsheets put quotes around names with commas. */
function unquoted(name: string): string {
  return name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"')
    .trim();
}
