import { openMongo } from '../../../control-plane/storage/mongo.js';
import { buildMail } from './build.js';

/** Delivers mails in its own process, for tests that kill it. Runs until it is killed. */
const [uri = '', smtpUrl = '', leaseMs = '30000'] = process.argv.slice(2);
const mongo = await openMongo(uri);
await buildMail(mongo, { smtpUrl, leaseMs: Number(leaseMs) }).start();
setInterval(() => undefined, 60_000);
