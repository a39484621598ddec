import type { RegistrationStatus } from './documents.js';
import type { MonitoredDomainStore } from './store.js';

/** The registration of a domain in few words, for reports. */
interface DomainForReport {
  name: string;
  status: RegistrationStatus;
  expiresMs: number | null;
  registrar: string | null;
  checkedMs: number | null;
}

/** Returns the function that reads the domains of a workspace, the newest first. */
export function createReadDomains({ list }: Pick<MonitoredDomainStore, 'list'>) {
  return async (workspaceId: string, rowsMax: number): Promise<DomainForReport[]> =>
    (await list(workspaceId, {}, null, rowsMax)).map(({ name, registration }) => ({
      name,
      status: registration.status,
      expiresMs: registration.expires_at_ms,
      registrar: registration.registrar,
      checkedMs: registration.checked_at_ms,
    }));
}
