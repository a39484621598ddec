/** One line: the last that a failed program wrote, which is where programs say why, or else the error's first. */
export function failureLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
  return said || ((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '');
}
