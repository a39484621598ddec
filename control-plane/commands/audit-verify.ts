import { createAccountsStore } from '../accounts/store.js';
import { chainLines, closingLine } from '../audit/chain/verify-lines.js';
import { verifyAuditLog } from '../audit/chain/verify-log.js';
import { createAuditStore } from '../audit/store.js';
import { openMongo } from '../storage/mongo.js';

/** Verifies the chain of every workspace and prints the results. Resolves to whether all are intact. It only reads. */
export async function auditVerify(mongodbUri: string, print: (text: string) => void): Promise<boolean> {
  const mongo = await openMongo(mongodbUri);
  try {
    const accounts = createAccountsStore(mongo.db);
    const intact: boolean[] = [];
    for await (const { workspaceId, result } of verifyAuditLog(createAuditStore(mongo.db))) {
      const workspace = await accounts.find(workspaceId);
      print(chainLines({ id: workspaceId, name: workspace?.name ?? null }, result));
      intact.push(result.problems.length === 0);
    }
    print(closingLine(intact));
    return intact.every(Boolean);
  } finally {
    await mongo.close();
  }
}
