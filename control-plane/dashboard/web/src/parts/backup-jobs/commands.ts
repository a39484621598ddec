/** Retries for a minute, so that a short outage is no missed run. */
const CURL = 'curl -fsS -m 10 --retry 6 --retry-connrefused';

/** The commands that send the pings of a job. */
export interface PingCommands {
  start: string;
  success: string;
  failure: string;
  exitCode: string;
  size: string;
}

/** Returns the commands for a ping URL. They have no `%`, which a crontab does not take. Pure. */
export const pingCommands = (url: string): PingCommands => ({
  start: `${CURL} ${url}/start`,
  success: `${CURL} ${url}`,
  failure: `${CURL} ${url}/fail`,
  exitCode: `${CURL} ${url}/$?`,
  size: `${CURL} "${url}?size=$(wc -c <FILE)"`,
});
