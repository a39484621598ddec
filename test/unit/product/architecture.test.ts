import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

const ROOT = pathToFileURL(`${process.cwd()}/`);
const PAGE = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');
const { BASE, SLICES, SHARED, PUBLIC_FILES } = createRequire(ROOT)('./scripts/layers.cjs') as {
  BASE: string[];
  SLICES: string[];
  SHARED: Record<string, string[]>;
  PUBLIC_FILES: Record<string, string[]>;
};

/** More files than this have more than one theme. */
const FILES_IN_A_FOLDER_MAX = 19;
/** What a program writes. */
const GENERATED = /^proto\/generated\//;

/** Every file that git tracks or would add. */
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
}).split('\n');

t.test('every path that docs/architecture.md names exists', (t) => {
  const named = [
    ...PAGE.matchAll(
      /`((?:control-plane|probe|node-link|server-agent|supervisor|kernel|proto|scripts|test)\/[^`\s]*)`/g,
    ),
  ];
  t.ok(named.length > 60, 'it names many');
  for (const [, path = ''] of named) {
    const file = path.replace(/\/\*$/, '');
    t.ok(existsSync(new URL(file, ROOT)) || existsSync(new URL(`${file}.ts`, ROOT)), path);
  }
  t.end();
});

t.test('it names every folder and every top-level file of the control plane', (t) => {
  for (const folder of [...BASE, ...SLICES]) t.ok(PAGE.includes(`\`${folder}/\``), folder);
  for (const file of FILES) {
    const [, name] = /^control-plane\/([^/]+\.ts)$/.exec(file) ?? [];
    if (name !== undefined) t.ok(PAGE.includes(`\`${name}\``), name);
  }
  t.end();
});

t.test('it quotes the order of the slices and what they may import, as scripts/layers.cjs has them', (t) => {
  t.ok(PAGE.includes(SLICES.map((slice) => `\`${slice}\``).join(' ← ')), 'the order');
  for (const [folder, files] of Object.entries({ ...SHARED, ...PUBLIC_FILES })) {
    t.ok(PAGE.includes(`| \`${folder}\` | ${files.map((file) => `\`${file}\``).join(', ')} |`), folder);
  }
  t.end();
});

t.test('no folder has more files than a person can overlook', (t) => {
  const counts = new Map<string, number>();
  for (const file of FILES.filter((name) => name.includes('/') && !GENERATED.test(name))) {
    // A file that was just moved is still tracked at its old place.
    if (existsSync(new URL(file, ROOT))) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  t.ok(counts.size > 100, 'it looks at many folders');
  for (const [folder, count] of counts) t.ok(count <= FILES_IN_A_FOLDER_MAX, `${folder} has ${count} files`);
  t.end();
});
