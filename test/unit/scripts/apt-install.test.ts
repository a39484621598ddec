import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

const ORIGINAL = '#!/bin/sh\n# of the container image\nexit 104\n';

/** A machine whose /usr/sbin is a folder of the test, with an apt-get that records the policy and then does `then`. */
async function machine(test: { teardown(run: () => void): void }) {
  const folder = temporaryFolder(test);
  const [sbin, bin] = [join(folder, 'sbin'), join(folder, 'bin')];
  await Promise.all([mkdir(sbin), mkdir(bin)]);
  const policy = join(sbin, 'policy-rc.d');
  const write = async (name: string, script: string) => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  };
  await write('dpkg-query', 'exit 1');
  return {
    sbin,
    policy,
    async run(then = 'exit 0') {
      await write('apt-get', `sh /usr/sbin/policy-rc.d; echo $? >>'${folder}/codes'; ${then}`);
      const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
      const script = 'mount --bind "$0" /usr/sbin && exec scripts/apt-install picket-missing-package';
      const env = { PATH: `${bin}:${process.env['PATH']}` };
      await new Promise((resolve) => {
        execFile('unshare', [...asUser, '--mount', 'sh', '-c', script, sbin], { env }, resolve);
      });
    },
    /** The exit codes of the policy while apt-get ran. */
    codes: async () => (await readFile(join(folder, 'codes'), 'utf8')).trim().split('\n'),
  };
}

t.test('services do not start while packages are installed, and nothing stays behind', async (t) => {
  const own = await machine(t);
  await own.run();
  t.same(await own.codes(), ['101']);
  t.same(await readdir(own.sbin), []);
});

t.test('a policy that was there comes back unchanged, whatever happens', async (t) => {
  for (const [what, then] of [
    ['success', 'exit 0'],
    ['failure', 'exit 100'],
    ['SIGTERM', 'kill -TERM $PPID; exit 0'],
    ['SIGINT', 'kill -INT $PPID; exit 0'],
  ] as const) {
    const own = await machine(t);
    await writeFile(own.policy, ORIGINAL);
    await chmod(own.policy, 0o750);
    await own.run(then);
    t.equal((await own.codes())[0], '101', what);
    t.equal(await readFile(own.policy, 'utf8'), ORIGINAL, what);
    t.equal((await lstat(own.policy)).mode & 0o777, 0o750, what);
    t.same(await readdir(own.sbin), ['policy-rc.d'], what);
  }
});

t.test('after SIGKILL the next run puts the original back', async (t) => {
  const own = await machine(t);
  await symlink('/etc/policy', own.policy);
  await own.run('kill -KILL $PPID; exit 0');
  t.same((await readdir(own.sbin)).length, 2, 'the killed run left both files');
  await own.run();
  t.ok((await lstat(own.policy)).isSymbolicLink(), 'the original link');
  t.same(await readdir(own.sbin), ['policy-rc.d']);

  const without = await machine(t);
  await without.run('kill -KILL $PPID; exit 0');
  t.same(await readdir(without.sbin), ['policy-rc.d'], 'the killed run left its own file');
  await without.run();
  t.same(await readdir(without.sbin), []);
});
