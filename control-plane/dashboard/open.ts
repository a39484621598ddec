import { fileURLToPath } from 'node:url';
import type { Logger } from '../../kernel/logger.js';
import type { OpenedSlice, Slice } from '../slice.js';
import { readDashboard } from './files.js';
import { dashboardMounts } from './mounts.js';
import type { PageFacts } from './pages.js';

/** The built pages; `scripts/build` makes them. */
const FOLDER = new URL('../../dashboard/', import.meta.url);

interface DashboardNeeds extends PageFacts {
  /** Whether a proxy in front signs people in, so that they have no session cookie. */
  signedInByProxy: boolean;
  logger: Logger;
}

/** The pages that people open in a browser. */
export const dashboardSlice: Slice<'dashboard', DashboardNeeds, OpenedSlice> = {
  name: 'dashboard',
  async open(needs) {
    const folder = fileURLToPath(FOLDER);
    const files = await readDashboard(folder);
    if (files !== null) return { mounts: dashboardMounts({ ...needs, files }) };
    needs.logger.warn({ folder }, 'the dashboard is not built, run scripts/build; the API works without it');
    return {};
  },
};
