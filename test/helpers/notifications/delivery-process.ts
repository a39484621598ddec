import { openMongo } from '../../../control-plane/storage/mongo.js';
import { buildNotifications } from './build.js';

/** Delivers notifications in its own process, for tests that kill it. Runs until it is killed. */
const [uri = '', leaseMs = '30000'] = process.argv.slice(2);
const mongo = await openMongo(uri);
const { notifications } = buildNotifications(mongo, { leaseMs: Number(leaseMs) });
await notifications.start();
setInterval(() => undefined, 60_000);
