import { fileURLToPath } from 'node:url';
import type { OpenedSlice, Slice } from '../slice.js';
import { createInstallMounts } from './install.js';

/** The packages that install scripts download; `scripts/build` makes them. */
const PACKAGES = new URL('../../packages/', import.meta.url);

interface InstallNeeds {
  /** Without a slash at the end. */
  publicUrl: string;
  version: string;
}

/** Install scripts for probes and agents, and the packages that they download. */
export const installSlice: Slice<'install', InstallNeeds, OpenedSlice> = {
  name: 'install',
  open: ({ publicUrl, version }) => ({
    mounts: createInstallMounts({ publicUrl, version, packagesDir: fileURLToPath(PACKAGES) }),
  }),
};
