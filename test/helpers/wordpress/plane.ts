import type { ApiAnswer } from '../processes/product.js';
import { waitFor } from '../wait.js';

export const PATH = '/api/v1/wp/admin';
const DONE_MS_MAX = 120_000;

interface Plane {
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** Adds a site. Resolves to its id and its activation code. */
export async function addSite(plane: Plane, url: string): Promise<{ id: string; code: string }> {
  const { status, body } = await plane.api('POST', `${PATH}/sites`, { name: 'Shop', url });
  if (status !== 201) throw new Error(`the site was not added: ${JSON.stringify(body)}`);
  return { id: body.data.id, code: body.data.activation_code };
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
