import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';

const PLUGIN = resolve('wp-plugin-bridge');

/** What a newer PHP than 7.4 has, and what is found of it. */
const NEWER: readonly (readonly [code: string, found: string])[] = [
  ['$a = match (1) { 1 => 2 };', 'match'],
  ['$a?->b();', '?->'],
  ['#[Attribute]\nclass A {}', '#['],
  ['enum A {}', 'enum'],
  ['class A { public readonly int $a; }', 'readonly'],
  ["str_contains( 'a', 'b' );", 'str_contains'],
  ['$a = $b ?? throw new Exception();', 'throw in an expression'],
  ['echo $a::class;', '::class of an object'],
  ['$a = strlen(...);', 'a callable of (...)'],
  ['function a( mixed $a ) {}', 'the type mixed'],
  ['function a( $a, ) {}', 'a comma after the last parameter'],
  ['try { a(); } catch ( Exception ) {}', 'catch without a variable'],
  ['function a( int|string $a ) {}', 'a type of several'],
  ['class A { function __construct( private $a ) {} }', 'a promoted parameter'],
];

t.test('the plugin uses nothing that PHP 7.4 does not have', async (t) => {
  const samples = t.testdir(Object.fromEntries(NEWER.map(([code], at) => [`${at}.php`, `<?php\n${code}\n`])));
  t.same(
    newerIn(NEWER.map((_, at) => join(samples, `${at}.php`))),
    NEWER.map(([, found]) => [found]),
    'it would be found',
  );
  const files = readdirSync(PLUGIN, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.php'));
  const found = newerIn(files.map((name) => join(PLUGIN, name)));
  for (const [at, name] of files.entries()) t.same(found[at], [], name);
});

function newerIn(files: readonly string[]): string[][] {
  const script = resolve('test/helpers/wordpress/newer-php.php');
  return JSON.parse(execFileSync('php', [script, ...files], { encoding: 'utf8' }));
}
