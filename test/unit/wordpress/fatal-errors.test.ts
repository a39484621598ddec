import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import t from 'tap';

const CHECKS = resolve('wp-plugin-bridge/includes/checks');
const CODE = `require '${CHECKS}/class-picket-bridge-check.php';
require '${CHECKS}/class-picket-bridge-fatal-errors-check.php';
list($log, $since) = json_decode(stream_get_contents(STDIN));
echo json_encode(Picket_Bridge_Fatal_Errors_Check::`;

function said<Value>(call: string, log: string, since: string): Value {
  const input = JSON.stringify([log, Date.parse(since) / 1_000]);
  return JSON.parse(execFileSync('php', ['-r', `${CODE}${call}($log, $since));`], { input, encoding: 'utf8' }));
}

function grouped(log: string, since: string): Record<string, number> {
  const groups = said<Record<string, number> | []>('grouped', log, since);
  return Array.isArray(groups) ? {} : groups;
}

const LOG = `x in /half/of/a/line.php:1
[29-Nov-2026 12:00:00 UTC] PHP Fatal error:  Uncaught Error: old in /site/old.php:3
[30-Nov-2026 04:00:00 UTC] PHP Warning:  Undefined variable $x in /site/a.php on line 3
[30-Nov-2026 04:00:01 UTC] PHP Fatal error:  Uncaught Error: Call to undefined function x() in /site/my dir/a.php:7
Stack trace:
#0 /site/index.php(17): require()
  thrown in /site/my dir/a.php on line 7\r
[30-Nov-2026 04:00:02 UTC] PHP Parse error:  syntax error, unexpected token "}" in /site/b.php on line 2
[30-Nov-2026 04:00:03 Europe/Berlin] PHP Fatal error:  Allowed memory size of 1 bytes exhausted in /site/c.php on line 9
[30-Nov-2026 04:00:04 UTC] PHP Fatal error:  Uncaught Error: a message
of two lines in /site/my dir/a.php:7
Stack trace:
[30-Nov-2026 04:00:05 UTC] something of a plugin in /site/d.php:1
[no time] PHP Fatal error:  x in /site/e.php:1`;

t.test('fatal errors are counted by file and line, the most frequent first', async (t) => {
  const found = grouped(LOG, '2026-11-30T03:30:00Z');
  t.strictSame(Object.entries(found), [
    ['/site/my dir/a.php:7', 2],
    ['/site/b.php:2', 1],
  ]);
  t.match(grouped(LOG, '2026-11-30T03:00:00Z'), { '/site/c.php:9': 1 }, 'the log has its own time zone');
  t.same(grouped('', '2026-11-30T03:00:00Z'), {});
});

t.test('a log of long lines does not end the measurement', async (t) => {
  const long = `[30-Nov-2026 04:00:00 UTC] PHP Fatal error:  ${' in '.repeat(400_000)} in /site/a.php:7`;
  t.strictSame(grouped(`${long}\n${'in '.repeat(100_000)}`, '2026-11-30T03:30:00Z'), { '/site/a.php:7': 1 });
});

t.test('the end of a log that grew too fast says nothing of earlier errors', async (t) => {
  const line = '[30-Nov-2026 04:00:00 UTC] PHP Warning:  Undefined variable $x in /site/a.php on line 3\n';
  const long = line.repeat(Math.ceil(2_097_152 / line.length));
  const reaches = (log: string, since: string) => said<boolean>('reaches', log.slice(-2_097_152), since);
  t.equal(reaches(long, '2026-11-30T03:00:00Z'), false);
  t.equal(reaches(long, '2026-11-30T05:00:00Z'), true, 'it begins before');
  t.equal(reaches(line, '2026-11-30T03:00:00Z'), true, 'it is the whole log');
  t.equal(reaches('x'.repeat(2_097_152), '2026-11-30T05:00:00Z'), false, 'it has no time');
});
