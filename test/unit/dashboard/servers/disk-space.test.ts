import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

// The module chooses its language by the browser.
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

const { diskWith, spaceOf, usedOf } = await browserModule<{
  spaceOf(disk: { size_bytes: number; used_bytes: number; available_bytes: number }): string;
  usedOf(disk: { used_bytes: number; available_bytes: number }): string;
  diskWith<Disk>(disks: Disk[], percent: number | null): Disk | null;
}>('parts/servers/server/disk-space.ts');

const GIB = 2 ** 30;

t.test('the space of a disk is what its percentage is of, and what is reserved is named', async (t) => {
  const disk = { size_bytes: 252 * GIB, used_bytes: 15 * GIB, available_bytes: 76 * GIB };
  t.equal(usedOf(disk), '15 GiB of 91 GiB', '15 of 91 is the 17 % that df shows');
  t.equal(spaceOf(disk), '15 GiB of 91 GiB (161 GiB more are reserved for the system)');
  t.equal(spaceOf({ ...disk, size_bytes: 91.2 * GIB }), '15 GiB of 91 GiB', 'a small reserve is not worth a word');
});

t.test('the disk of a percentage is named, unless none fits', async (t) => {
  const disks = [
    { mount: '/', used_percent: 16.5 },
    { mount: '/var', used_percent: 82.4 },
    { mount: '/snap', used_percent: null },
  ];
  t.equal(diskWith(disks, 82.1)?.mount, '/var');
  t.equal(diskWith(disks, 60), null);
  t.equal(diskWith(disks, null), null);
  t.equal(diskWith([], 60), null);
});
