import { createAccountsStore } from '../accounts/store.js';
import { chainLines, closingLine } from '../audit/chain/verify-lines.js';
import { verifyAuditLog } from '../audit/chain/verify-log.js';
import { createAuditStore } from '../audit/store.js';
import { openMongo } from '../storage/mongo.js';

/** Prints what each workspace's chain is like; resolves whether all of them are intact. Only reads. */
export async function auditVerify(mongodbUri: string, print: (text: string) => void): Promise<boolean> {
  const mongo = await openMongo(mongodbUri);
  try {
    const accounts = createAccountsStore(mongo.db);
    const verdicts: boolean[] = [];
    for await (const { workspaceId, report } of verifyAuditLog(createAuditStore(mongo.db))) {
      const workspace = await accounts.find(workspaceId);
      print(chainLines({ id: workspaceId, name: workspace?.name ?? null }, report));
      verdicts.push(report.problems.length === 0);
    }
    print(closingLine(verdicts));
    return verdicts.every((isIntact) => isIntact);
  } finally {
    await mongo.close();
  }
}
