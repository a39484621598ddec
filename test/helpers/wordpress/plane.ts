import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiAnswer } from '../processes/product.js';
import { waitFor } from '../wait.js';
import type { Wordpress } from './site.js';

export const PATH = '/api/v1/wp/admin';
const DONE_MS_MAX = 120_000;
/** The must-use plugin of a connected site. */
export const UNDO_FILE = 'wp-content/mu-plugins/0-picket-bridge-undo.php';

interface Plane {
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** Adds a site. Resolves to its id and its activation code. */
export async function addSite(plane: Plane, url: string): Promise<{ id: string; code: string }> {
  const { status, body } = await plane.api('POST', `${PATH}/sites`, { name: 'Shop', url });
  if (status !== 201) throw new Error(`the site was not added: ${JSON.stringify(body)}`);
  return { id: body.data.id, code: body.data.activation_code };
}

/**
 * Connects a site as a deployment script does. Resolves when the site has written its must-use plugin: the command line leaves that to the
 * web server, which writes it when Picket nudges the site.
 */
export async function connectSite(
  plane: Plane & { url: string },
  wordpress: Pick<Wordpress, 'php' | 'root'>,
  code: string,
): Promise<void> {
  const connected = await wordpress.php(`return picket_bridge_connect('${plane.url}', '${code}');`);
  if (connected !== true) throw new Error(`the site is not connected: ${JSON.stringify(connected)}`);
  await waitFor('the must-use plugin', DONE_MS_MAX, async () => existsSync(join(wordpress.root, UNDO_FILE)));
}

/** Resolves to the site as the API shows it. */
export async function readSite(plane: Plane, id: string) {
  return (await plane.api('GET', `${PATH}/sites/${id}`)).body.data;
}

/** Resolves to a check of a site. */
export async function readCheck(plane: Plane, id: string, check = 'xmlrpc') {
  const { checks } = await readSite(plane, id);
  return checks.find((one: { id: string }) => one.id === check);
}

/** Resolves to a job once it has ended. */
export async function endOfJob(plane: Plane, siteId: string, jobId: string) {
  return waitFor('the job to end', DONE_MS_MAX, async () => {
    const { body } = await plane.api('GET', `${PATH}/sites/${siteId}/jobs`);
    const job = body.data.find((one: { id: string }) => one.id === jobId);
    return job.ended_at === null ? null : job;
  });
}
