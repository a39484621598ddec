import type { Logger } from '../../../kernel/logger.js';
import { withoutUserInfo } from '../../../kernel/urls/user-info.js';
import type { MonitorSecrets } from './secrets.js';
import type { SealedFields, UnsealedMonitor, UnsealedMonitors } from './unsealed-store.js';

const PAGE_ROWS = 500;
/** A monitor that is changed while it is sealed is left for the next pass. */
const PASSES_MAX = 3;

interface SealStoredNeeds {
  unsealed: UnsealedMonitors;
  secrets: Pick<MonitorSecrets, 'seal'>;
  logger: Logger;
}

/**
 * Seals the secrets of monitors that an earlier version stored. Runs at each start of a control plane; it is
 * idempotent, and several control planes can run it at once. A failure is logged and does not prevent the start,
 * because these monitors are read as they are.
 */
export async function sealStoredMonitors(needs: SealStoredNeeds): Promise<void> {
  const { logger } = needs;
  let sealed = 0;
  try {
    for (let pass = 0; pass < PASSES_MAX; pass++) {
      const { found, written } = await sealAll(needs);
      sealed += written;
      if (written === found) break;
    }
    if (sealed > 0) logger.info({ monitors: sealed }, 'sealed the secrets of stored monitors');
  } catch (error) {
    logger.error(
      { err: error, monitors: sealed },
      'failed to seal the secrets of stored monitors; the next start retries',
    );
  }
}

async function sealAll({ unsealed, secrets }: SealStoredNeeds): Promise<{ found: number; written: number }> {
  let found = 0;
  let written = 0;
  for (let afterId: string | null = null; ; ) {
    const page: UnsealedMonitor[] = await unsealed.page(afterId, PAGE_ROWS);
    if (page.length === 0) return { found, written };
    found += page.length;
    written += await unsealed.seal(page.map((monitor) => ({ monitor, fields: sealedFields(monitor, secrets) })));
    afterId = page.at(-1)?._id ?? null;
  }
}

/** A runbook URL is in every notification, so its user info is removed. New ones with user info are refused. */
function sealedFields(monitor: UnsealedMonitor, secrets: Pick<MonitorSecrets, 'seal'>): SealedFields {
  const { _id, url, http, runbook_url } = monitor;
  return {
    ...secrets.seal(_id, { url, http }),
    runbook_url: runbook_url === null ? null : withoutUserInfo(runbook_url),
  };
}
