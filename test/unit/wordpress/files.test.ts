import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';

const BYTES_MAX = 1_048_576;
const CHANGES = resolve('wp-plugin-bridge/includes/changes');

/** Runs PHP in a folder as the classes that change files see a site, and returns what it returns. */
function php(root: string, code: string): unknown {
  const loaded = `define('ABSPATH', $argv[1] . '/');
    define('WP_CONTENT_DIR', ABSPATH . 'wp-content');
    define('WPMU_PLUGIN_DIR', WP_CONTENT_DIR . '/mu-plugins');
    function untrailingslashit($path) { return rtrim($path, '/'); }
    foreach (array('interface-picket-bridge-change', 'class-picket-bridge-file', 'class-picket-bridge-htaccess-block',
      'class-picket-bridge-config-constant') as $name) {
      require '${CHANGES}/' . $name . '.php';
    }
    $config = ABSPATH . 'wp-config.php';
    $block = new Picket_Bridge_Htaccess_Block('headers', ABSPATH, function () { return array('# a directive'); }, true);
    echo json_encode((function () use ($config, $block) { ${code} })());`;
  return JSON.parse(execFileSync('php', ['-r', loaded, root], { encoding: 'utf8' }));
}

t.test('an unfinished wp-config.php is never a file that a web server sends', async (t) => {
  const root = t.testdir({ 'wp-config.php': 'old' });
  const config = join(root, 'wp-config.php');
  chmodSync(config, 0o640);
  const isOtherGroup = process.getuid?.() === 0;
  if (isOtherGroup) chownSync(config, 0, 12_345);
  t.equal(
    php(root, `return Picket_Bridge_File::replace($config, 'other', 'new');`),
    'wp-config.php was changed by somebody else at the same time.',
  );
  t.same(readdirSync(root), ['wp-config.php']);
  t.equal(php(root, `return Picket_Bridge_File::replace($config, 'old', 'new');`), '');
  t.same(readdirSync(root), ['wp-config.php']);
  t.equal(readFileSync(config, 'utf8'), 'new');
  t.equal(statSync(config).mode & 0o777, 0o640);
  if (isOtherGroup) t.equal(statSync(config).gid, 12_345);

  const [name, mode, left] = php(
    root,
    `$write = new ReflectionMethod('Picket_Bridge_File', 'write_secret');
     $write->setAccessible(true);
     $name = 'wp-config-picket-' . str_repeat('0a', 8) . '.php';
     $write->invoke(null, ABSPATH . $name, 'secret');
     file_put_contents(ABSPATH . 'wp-config-picket-mine.php', '');
     file_put_contents($config . '.picket-new', 'of an earlier version');
     $mode = fileperms(ABSPATH . $name) & 0777;
     Picket_Bridge_File::sweep($config);
     return array($name, $mode, array_values(array_diff(scandir(ABSPATH), array('.', '..'))));`,
  ) as [string, number, string[]];
  t.equal(mode, 0o600, name);
  t.same(
    left,
    ['wp-config-picket-mine.php', 'wp-config.php'],
    'what a killed process has left is deleted, and nothing else',
  );
});

t.test('a file keeps its group, without which a web server or a colleague may lose it', async (t) => {
  const root = t.testdir({ '.htaccess': 'old' });
  const path = join(root, '.htaccess');
  chmodSync(path, 0o640);
  const isOtherGroup = process.getuid?.() === 0;
  if (isOtherGroup) chownSync(path, 0, 12_345);
  t.equal(php(root, `return Picket_Bridge_File::replace(ABSPATH . '.htaccess', 'old', 'new');`), '');
  t.equal(readFileSync(path, 'utf8'), 'new');
  t.equal(statSync(path).mode & 0o777, 0o640);
  if (isOtherGroup) t.equal(statSync(path).gid, 12_345);
});

t.test('the names of unfinished files', async (t) => {
  const root = t.testdir({ 'wp-config.php': 'old', 'wp-content': { 'mu-plugins': {} } });
  const isSecret = (path: string) =>
    php(
      root,
      `$is = new ReflectionMethod('Picket_Bridge_File', 'is_secret');
       $is->setAccessible(true);
       return $is->invoke(null, ${path});`,
    );
  t.equal(isSecret('$config'), true);
  t.equal(isSecret(`ABSPATH . '.htaccess'`), false);
  t.equal(isSecret(`WPMU_PLUGIN_DIR . '/picket-bridge-xmlrpc.php'`), false, 'WordPress would run an unfinished one');
  // A folder in the way of the fixed name stops the file that has it, and no other.
  mkdirSync(join(root, 'wp-config.php.picket-new'));
  mkdirSync(join(root, 'wp-content/mu-plugins/a.php.picket-new'));
  t.equal(php(root, `return Picket_Bridge_File::replace($config, 'old', 'new');`), '');
  t.match(
    php(root, `return Picket_Bridge_File::replace(WPMU_PLUGIN_DIR . '/a.php', null, 'new');`),
    /cannot be written/,
  );
});

t.test('undoing a block does not join the lines around it', async (t) => {
  const root = t.testdir({});
  const file = join(root, '.htaccess');
  const undone = (appended: string) => {
    writeFileSync(file, '</IfModule>');
    t.equal(php(root, 'return $block->write();'), '');
    writeFileSync(file, appended, { flag: 'a' });
    t.equal(php(root, 'return $block->undo();'), '');
    return readFileSync(file, 'utf8');
  };
  t.equal(undone('# BEGIN Other\n'), '</IfModule>\n# BEGIN Other\n');
  t.equal(undone(''), '</IfModule>', 'the same bytes as before');
});

t.test('a file that is too large to be read whole is left alone', async (t) => {
  const root = t.testdir({});
  const file = join(root, '.htaccess');
  const config = join(root, 'wp-config.php');
  t.equal(php(root, 'return $block->write();'), '');
  const large = `${readFileSync(file, 'utf8')}${'# line\n'.repeat(180_000)}`;
  writeFileSync(file, large);
  t.equal(php(root, 'return $block->undo();'), '.htaccess is too large.');
  t.equal(php(root, 'return $block->write();'), '.htaccess is too large.');
  t.ok(readFileSync(file, 'utf8') === large, 'not a byte was changed');

  const source = `<?php define( 'WP_DEBUG', false /* Picket: was true */ );\n${'// line\n'.repeat(140_000)}`;
  writeFileSync(config, source);
  t.equal(php(root, `return (new Picket_Bridge_Config_Constant('WP_DEBUG'))->undo();`), 'wp-config.php is too large.');
  t.ok(readFileSync(config, 'utf8') === source, 'not a byte was changed');

  const full = '#'.repeat(BYTES_MAX);
  writeFileSync(file, full);
  t.equal(php(root, 'return $block->write();'), '.htaccess is too large.', 'it could not be undone');
  t.ok(readFileSync(file, 'utf8') === full, 'not a byte was changed');
});
