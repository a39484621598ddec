import type { BackupJobWithUrl } from '../../../../control-plane/backup-jobs/schema.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { ALL, LONG, MARKUP, TAGS } from './hostile-names.js';

const SCHEDULE = { cron: '0 2 29 2 *', time_zone: 'America/Argentina/ComodRivadavia' };
const LOG = `${MARKUP} ${LONG.repeat(20)}`;

/** Jobs in each state, with names and logs to break pages. Resolves to the id of a failing one. */
export async function fillBackupJobs({ plane }: WorkspaceInBrowser): Promise<string> {
  const add = async (more: object): Promise<BackupJobWithUrl> => {
    const answer = await plane.api('POST', '/v1/backup-jobs', { schedule: SCHEDULE, ...more });
    if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  await add({ name: LONG, tags: TAGS, enabled: false });
  await add({ name: MARKUP });
  const failing = await add({ name: ALL, tags: TAGS });
  for (const end of [`?size=${Number.MAX_SAFE_INTEGER}&sha256=${'f'.repeat(64)}`, '/start', '/255']) {
    const answer = await fetch(`${failing.ping_url}${end}`, { method: 'POST', body: LOG });
    if (!answer.ok) throw new Error(`ping ${end}: ${answer.status}`);
  }
  return failing.id;
}
