import { openMongo } from '../../../control-plane/storage/mongo.js';
import { buildNotifying } from './notifying.js';

/** A control plane's delivery in a process of its own, for tests that kill it. Runs until it is killed. */
const [uri = '', leaseMs = '30000'] = process.argv.slice(2);
const mongo = await openMongo(uri);
const { notifications } = buildNotifying(mongo, { leaseMs: Number(leaseMs) });
notifications.start();
setInterval(() => undefined, 60_000);
