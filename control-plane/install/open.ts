import { fileURLToPath } from 'node:url';
import type { Logger } from '../../kernel/logger.js';
import type { OpenedSlice, Slice } from '../slice.js';
import { transportOf } from './command.js';
import { createInstall, type Install } from './install.js';

/** The packages that install scripts download; `scripts/build` makes them. */
const PACKAGES = new URL('../../packages/', import.meta.url);

interface InstallNeeds {
  /** Without a slash at the end. */
  publicUrl: string;
  version: string;
  logger: Logger;
}

/** Install scripts for probes and agents, and the packages that they download. */
export const installSlice: Slice<'install', InstallNeeds, OpenedSlice & Install> = {
  name: 'install',
  open({ publicUrl, version, logger }) {
    if (transportOf(publicUrl) === 'http') {
      logger.warn(
        { public_url: publicUrl },
        'PICKET_PUBLIC_URL is plain http: anyone on the network path can read passwords and API keys; use https. ' +
          'Install commands contain the SHA-256 of their script',
      );
    }
    return createInstall({ publicUrl, version, packagesDir: fileURLToPath(PACKAGES) });
  },
};
