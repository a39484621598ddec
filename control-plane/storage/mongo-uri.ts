import { MongoClient } from 'mongodb';

/**
 * The driver's errors that contain nothing of the connection string except names of options. Others may contain a part
 * of it, and with it of a password, so they are not shown.
 */
const SHOWN_ERRORS = [
  /^options? [A-Za-z]+(, [A-Za-z]+)* (is|are) not supported$/,
  /^Password contains unescaped characters$/,
  /^directConnection option requires exactly one host$/,
];

/**
 * Returns why the driver does not accept a connection string, as the end of a sentence; null if it does. The driver's
 * own parser decides, because a list of hosts is not a URL. It connects to nothing.
 */
export function mongoUriProblem(uri: string): string | null {
  if (!/^mongodb(\+srv)?:\/\//.test(uri)) return 'must start with mongodb:// or mongodb+srv://';
  try {
    new MongoClient(uri);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const why = SHOWN_ERRORS.some((shown) => shown.test(message)) ? ` (${message})` : '';
    return `is not a valid connection string${why}; an example is mongodb://a:27017,b:27017,c:27017/picket?replicaSet=rs`;
  }
}
