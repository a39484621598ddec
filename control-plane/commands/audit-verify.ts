import { systemClock } from '../../kernel/clock.js';
import { systemRandom } from '../../kernel/random.js';
import type { Workspace } from '../accounts/accounts.js';
import { createWorkspacesStore } from '../accounts/workspaces-store.js';
import { recordBreak } from '../audit/chain/record-break.js';
import type { ChainResult } from '../audit/chain/verify.js';
import { chainLines, closingLine } from '../audit/chain/verify-lines.js';
import { verifyAuditLog } from '../audit/chain/verify-log.js';
import { createAuditLog } from '../audit/record.js';
import { createAuditStore } from '../audit/store.js';
import { measureOffset } from '../clock-offset.js';
import { createDatabaseClock } from '../storage/clock/database-clock.js';
import { createDatabaseTime } from '../storage/clock/database-time.js';
import { createIds } from '../storage/ids.js';
import { type Mongo, openMongo } from '../storage/mongo.js';
import { createRunTransaction } from '../storage/transaction.js';

/**
 * Verifies the chain of every workspace and prints the results. Resolves to whether all are intact. It changes nothing,
 * except that it appends an entry to a log whose chain is broken.
 */
export async function auditVerify(mongodbUri: string, print: (text: string) => void): Promise<boolean> {
  const mongo = await openMongo(mongodbUri);
  try {
    const accounts = createWorkspacesStore(mongo.db);
    const intact: boolean[] = [];
    for await (const { workspaceId, result } of verifyAuditLog(createAuditStore(mongo.db))) {
      const workspace = await accounts.find(workspaceId);
      print(chainLines({ id: workspaceId, name: workspace?.name ?? null }, result));
      if (workspace !== null && result.problems.length > 0) print(await recordBroken(mongo, workspace, result));
      intact.push(result.problems.length === 0);
    }
    print(closingLine(intact));
    return intact.every(Boolean);
  } finally {
    await mongo.close();
  }
}

/**
 * Records the break in the log of the workspace. Returns a line for the output; the entry may fail, because the result
 * can also be read with rights that do not allow a write.
 */
async function recordBroken(mongo: Mongo, workspace: Workspace, { problems }: ChainResult): Promise<string> {
  const [first] = problems;
  if (first === undefined) return '';
  try {
    // The entry sorts by the time in its id, so a wrong clock of this machine must not set it.
    const clock = createDatabaseClock(systemClock);
    clock.measured(await measureOffset(createDatabaseTime(mongo.db), systemClock));
    const store = createAuditStore(mongo.db);
    const audit = createAuditLog({ store, ids: createIds(clock, systemRandom) });
    const needs = { store, audit, runTransaction: createRunTransaction(mongo.client) };
    return (await recordBreak(needs, workspace, { first, problems: problems.length }))
      ? '  recorded as audit.chain_broken in this log\n\n'
      : '  recorded before as audit.chain_broken in this log\n\n';
  } catch (error) {
    return `  could not be recorded in this log: ${error instanceof Error ? error.message : String(error)}\n\n`;
  }
}
