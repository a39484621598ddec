import { join, resolve } from 'node:path';
import t from 'tap';
import ts from 'typescript';

const ROOT = process.cwd();
const MODULE_TEXT = `import 'node:fs';
document;
window;
process;
Buffer;
`;

function readProject(folder: string): ts.ParsedCommandLine {
  const project = ts.getParsedCommandLineOfConfigFile(join(ROOT, folder, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (project === undefined) throw new Error(`${folder} has no tsconfig.json`);
  return project;
}

/** Returns the names in `MODULE_TEXT` that do not type-check in a module of this folder, with the options of its project. */
function unknownNames(projectFolder: string, folder: string): (string | undefined)[] {
  const { options } = readProject(projectFolder);
  const path = join(ROOT, folder, 'imaginary.ts');
  const files = ts.createCompilerHost(options);
  const program = ts.createProgram([path], options, {
    ...files,
    fileExists: (name) => name === path || files.fileExists(name),
    getSourceFile: (name, version) =>
      name === path ? ts.createSourceFile(name, MODULE_TEXT, version) : files.getSourceFile(name, version),
  });
  return program
    .getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => /'(.+?)'/.exec(ts.flattenDiagnosticMessageText(messageText, '\n'))?.[1]);
}

t.test('server code has the globals of Node.js and none of a browser', async (t) => {
  t.same(unknownNames('control-plane', 'control-plane'), ['document', 'window']);
});

t.test('dashboard code has the globals of a browser and nothing of Node.js', async (t) => {
  t.same(unknownNames('control-plane/dashboard/web', 'control-plane/dashboard/web/src'), [
    'node:fs',
    'process',
    'Buffer',
  ]);
});

t.test('every TypeScript file is in a project that the root project references', async (t) => {
  const references = readProject('.').projectReferences ?? [];
  const checked = new Set(references.flatMap(({ path }) => readProject(path.slice(ROOT.length)).fileNames));
  const files = ts.sys.readDirectory(ROOT, ['.ts', '.tsx'], ['build', 'coverage', 'data'], ['**/*']);
  t.ok(checked.size > 0);
  t.same(
    files.filter((file) => !checked.has(resolve(file))),
    [],
  );
});
