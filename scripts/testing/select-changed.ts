/** The imports of each source file, as the metafile of esbuild has them. */
export type ImportGraph = Record<string, { imports: readonly { path: string; external?: boolean }[] }>;

/** A change of one of these can change every test. */
const CHANGES_ALL = /^(package(-lock)?\.json|tsconfig[^/]*\.json|scripts\/with-mongod\.ts|scripts\/testing\/)/;

export interface Selection {
  tests: string[];
  /** Changed source files that no test imports or names: only tests that start whole programs can reach them. */
  unreached: string[];
}

/**
 * Returns the test files that a change concerns: those that are changed, that import a changed file, directly or through
 * others, or in whose text (or that of their helpers) the path of a changed file stands, because they read it.
 */
export function selectChanged(
  changed: readonly string[],
  tests: readonly string[],
  graph: ImportGraph,
  textOf: (file: string) => string,
): Selection {
  if (changed.some((path) => CHANGES_ALL.test(path))) return { tests: [...tests], unreached: [] };
  const reached = new Map(tests.map((test) => [test, reachedFrom(test, graph)]));
  const texts = new Map<string, string>();
  const textOfOnce = (file: string) => {
    const text = texts.get(file) ?? textOf(file);
    texts.set(file, text);
    return text;
  };
  const concerns = (test: string, path: string) => {
    const files = reached.get(test) ?? new Set();
    return files.has(path) || [...files].some((file) => file.startsWith('test/') && textOfOnce(file).includes(path));
  };
  const byPath = changed.map((path) => ({ path, tests: tests.filter((test) => concerns(test, path)) }));
  const selected = new Set(byPath.flatMap((one) => one.tests));
  return {
    tests: tests.filter((test) => selected.has(test)),
    unreached: byPath.filter((one) => one.tests.length === 0).map(({ path }) => path),
  };
}

function reachedFrom(test: string, graph: ImportGraph): Set<string> {
  const seen = new Set([test]);
  for (const file of seen) {
    for (const { path, external } of graph[file]?.imports ?? []) if (external !== true) seen.add(path);
  }
  return seen;
}
