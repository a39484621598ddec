import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROKEN_PRODUCTS, type BrokenProduct } from './products.js';

/** Breaks a copy of the product on purpose, one mistake after the other, and expects that the tests notice each. */

const COMPILE = ['node_modules/.bin/tsc', '-b'];
const BUILD = ['scripts/build'];
const WITH_MONGOD = ['node', '--import', 'tsx', 'scripts/with-mongod.ts', '--in-memory'];
const RUN_ONCE = [...WITH_MONGOD, 'node', '--import', 'tsx', 'scripts/testing/broken/run-once.ts'];

function main(names: readonly string[]): number {
  const isChosen = ({ name }: BrokenProduct) => names.length === 0 || names.some((part) => name.includes(part));
  const products = BROKEN_PRODUCTS.filter(isChosen);
  if (products.length === 0) throw new Error(`no broken product is named ${names.join(' ')}`);
  const copy = copyOfTree();
  try {
    console.log('== without a mistake');
    if (run(copy, COMPILE) !== 0) throw new Error('the product does not compile');
    const tests = new Set(products.flatMap((product) => product.tests));
    if (run(copy, [...RUN_ONCE, ...tests]) !== 0) throw new Error('the tests are red without a mistake');
    const missed = products.filter((product) => !isNoticed(copy, product));
    for (const { name } of missed) console.log(`NOT NOTICED: ${name}`);
    console.log(`${products.length - missed.length} of ${products.length} broken products are noticed`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function isNoticed(copy: string, { name, file, text, instead, tests, isShipped }: BrokenProduct): boolean {
  console.log(`== ${name}`);
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(text).length !== 2) throw new Error(`${file} does not have this text once: ${text}`);
  writeFileSync(
    path,
    source.replace(text, () => instead),
  );
  try {
    if (run(copy, isShipped ? BUILD : COMPILE) !== 0) throw new Error(`this broken product does not compile: ${name}`);
    return run(copy, [...RUN_ONCE, ...tests]) !== 0;
  } finally {
    writeFileSync(path, source);
  }
}

/** Returns a folder with the tree as it is on disk, and with what is installed and built. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'picket-broken-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', list, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  for (const file of stdout.split('\0')) if (existsSync(file) && file !== '') cpSync(file, join(copy, file));
  for (const made of ['build', '.cache/types']) cpSync(made, join(copy, made), { recursive: true });
  // Links to the same files: nothing writes into packages.
  if (run('.', ['cp', '-al', 'node_modules', join(copy, 'node_modules')]) !== 0) throw new Error('no packages');
  return copy;
}

/** Runs a program with its output on the terminal. Returns its exit code, 1 if it has none. */
function run(folder: string, [program = '', ...args]: readonly string[]): number {
  return spawnSync(program, args, { cwd: folder, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
