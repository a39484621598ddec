import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createPager } from '../../../control-plane/http/paging.js';
import { createCursors } from '../../../control-plane/storage/cursor.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { buildForwarding } from './forwarding.js';

/** Runs the forwarding of a control plane in its own process, for tests that kill it. Runs until it is killed. */
const [uri = '', owner = '', key = ''] = process.argv.slice(2);
const mongo = await openMongo(uri);
const store = createAuditStore(mongo.db);
const forwarding = buildForwarding(
  {
    mongo,
    audit: createAuditLog({ store, ids: createIds(systemClock, systemRandom) }),
    secretBox: createSecretBox(Buffer.from(key, 'hex'), systemRandom),
    pager: createPager(createCursors(Buffer.alloc(32))),
  },
  { owner },
);
await forwarding.start();
setInterval(() => undefined, 60_000);
