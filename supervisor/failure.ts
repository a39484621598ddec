/** Returns one line about a failure: the last line on stderr of a failed program, else the first line of the error. */
export function failureLine(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
  return output || ((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '');
}
