import { CHAIN_START } from './hash.js';
import { type ChainResult, PROBLEMS_MAX } from './verify.js';

/** The length of the longest problem kind. */
const KIND_WIDTH = 'out_of_order'.length;

/** Returns the output for the chain of one workspace. */
export function chainLines(workspace: { id: string; name: string | null }, result: ChainResult): string {
  const lines = [`${workspace.name ?? 'Deleted workspace'} (${workspace.id})`];
  if (result.dropped > 0) {
    lines.push(
      `  ${counted(result.dropped, 'older entry', 'older entries')} deleted because the plan no longer keeps them`,
    );
  }
  return [...lines, ...resultLines(result)].join('\n').concat('\n\n');
}

/** Returns the output for an exported file. */
export function exportLines(file: { path: string; workspaceId: string | null }, result: ChainResult): string {
  const lines = [file.workspaceId === null ? file.path : `${file.path} (${file.workspaceId})`];
  if (result.entries > 0 && result.firstPreviousHash !== CHAIN_START) {
    lines.push(`  starts after the hash ${result.firstPreviousHash}`);
  }
  if (result.gaps > 0) {
    lines.push(
      `  ${counted(result.gaps, 'gap', 'gaps')}, as in an export with filters: the missing entries were not verified`,
    );
  }
  return [...lines, ...resultLines(result)].join('\n').concat('\n\n');
}

function resultLines({ entries, from, to, lastHash, problems }: ChainResult): string[] {
  const lines = [`  ${counted(entries, 'entry', 'entries')}${period(from, to)}`];
  if (problems.length === 0) {
    lines.push(`  intact, ends with the hash ${lastHash}`);
  } else {
    const count = counted(problems.length, 'problem', 'problems');
    lines.push(`  BROKEN: ${problems.length === PROBLEMS_MAX ? `the first ${count}` : count}`);
    for (const { kind, id, message, entry } of problems) {
      lines.push(`    ${kind.padEnd(KIND_WIDTH)}  ${id ?? 'the log'} ${message}`);
      if (entry !== null) lines.push(`    ${' '.repeat(KIND_WIDTH)}  ${entry}`);
    }
  }
  return lines;
}

/** Returns the last line of the output, the overall result. */
export function closingLine(isIntact: readonly boolean[]): string {
  const broken = isIntact.filter((intact) => !intact).length;
  if (isIntact.length === 0) return 'There is no sealed audit log yet.\n';
  if (broken > 0) return `${broken} of ${counted(isIntact.length, 'audit log', 'audit logs')} BROKEN.\n`;
  return isIntact.length === 1 ? 'The audit log is intact.\n' : `All ${isIntact.length} audit logs are intact.\n`;
}

function period(from: string | null, to: string | null): string {
  if (from === null) return '';
  return from === to ? ` of ${from}` : ` from ${from} to ${to}`;
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
