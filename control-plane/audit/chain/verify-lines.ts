import { CHAIN_START } from './chain.js';
import { type ChainReport, PROBLEMS_MAX } from './verify.js';

/** The longest name of a kind of problem. */
const KIND_WIDTH = 'disordered'.length;

/** What a person reads of one workspace's chain. */
export function chainLines(workspace: { id: string; name: string | null }, report: ChainReport): string {
  const lines = [`${workspace.name ?? 'A workspace that is gone'} (${workspace.id})`];
  if (report.dropped > 0) {
    lines.push(
      `  ${counted(report.dropped, 'older entry', 'older entries')} deleted, as the plan keeps them no longer`,
    );
  }
  return [...lines, ...verdictLines(report)].join('\n').concat('\n\n');
}

/** What a person reads of an exported file. */
export function exportLines(file: { path: string; workspaceId: string | null }, report: ChainReport): string {
  const lines = [file.workspaceId === null ? file.path : `${file.path} (${file.workspaceId})`];
  if (report.entries > 0 && report.firstPreviousHash !== CHAIN_START) {
    lines.push(`  begins behind the hash ${report.firstPreviousHash}`);
  }
  if (report.gaps > 0) {
    lines.push(
      `  ${counted(report.gaps, 'gap', 'gaps')}, as in an export with filters: what is missing there is not known`,
    );
  }
  return [...lines, ...verdictLines(report)].join('\n').concat('\n\n');
}

function verdictLines({ entries, from, to, lastHash, problems }: ChainReport): string[] {
  const lines = [`  ${counted(entries, 'entry', 'entries')}${period(from, to)}`];
  if (problems.length === 0) {
    lines.push(`  intact, and ends with the hash ${lastHash}`);
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

/** The last line: what came of all of them. */
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
