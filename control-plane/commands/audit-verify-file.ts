import { createReadStream } from 'node:fs';
import { createChainCheck } from '../audit/chain/verify.js';
import { closingLine, exportLines } from '../audit/chain/verify-lines.js';
import { type ExportedItem, NotAnExport, readExport, TruncatedExport } from '../audit/export/reader.js';
import { ArgumentError } from './argument-error.js';

const CSV_BEGIN = /^\ufeff?"?id"?,/;

/**
 * Verifies a JSON export without a database and prints the result. Resolves to whether the export is intact. `-` is
 * standard input. Throws ArgumentError for a file that is not an export.
 */
export async function auditVerifyFile(
  path: string,
  options: { gaps: boolean },
  print: (text: string) => void,
): Promise<boolean> {
  const check = createChainCheck(null, options);
  let workspaceId: string | null = null;
  try {
    for await (const item of readExport(textOf(path))) {
      if (item.entry === null) check.addForeign(placeOf(item), item.problem);
      else {
        workspaceId ??= item.entry.workspace_id;
        check.add(item.entry);
      }
      if (item.number === 1 && item.entry === null) throw new NotAnExport('its first entry is not an audit entry');
    }
  } catch (error) {
    if (error instanceof TruncatedExport) check.addTruncation(error.message);
    else if (error instanceof NotAnExport) throw new ArgumentError(`${path} is not a JSON export: ${error.message}`);
    else throw unreadable(path, error);
  }
  const result = check.result();
  print(exportLines({ path, workspaceId }, result));
  print(closingLine([result.problems.length === 0]));
  return result.problems.length === 0;
}

function placeOf({ number }: ExportedItem): string {
  return `entry number ${number}`;
}

async function* textOf(path: string): AsyncGenerator<string> {
  const source = path === '-' ? process.stdin.setEncoding('utf8') : createReadStream(path, 'utf8');
  let isFirst = true;
  for await (const chunk of source) {
    const text = String(chunk);
    if (isFirst && CSV_BEGIN.test(text)) {
      throw new ArgumentError(
        `${path} is a CSV export, which has no hashes: export with format=json and verify that file`,
      );
    }
    yield isFirst ? text.replace(/^\ufeff/, '') : text;
    isFirst = false;
  }
}

/** Returns an ArgumentError for the usual reasons why a file cannot be read, and other errors unchanged. */
function unreadable(path: string, error: unknown): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return new ArgumentError(`${path} does not exist`);
  if (code === 'EISDIR' || code === 'EACCES') return new ArgumentError(`${path} cannot be read: ${code}`);
  return error;
}
