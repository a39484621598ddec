import { AREA_TITLES } from './areas/area.js';
import type { EmailDomainStore } from './store.js';
import { statusOf } from './view.js';

/** An e-mail domain in few words, for reports. */
interface Deliverability {
  name: string;
  status: 'passing' | 'warning' | 'failing' | 'unknown';
  score: number | null;
  checkedMs: number | null;
  /** The names of the areas that count as failing, and as a warning. */
  failing: string[];
  warning: string[];
}

/** Returns the function that reads the e-mail domains of a workspace, the newest first. */
export function createReadDeliverability({ list }: Pick<EmailDomainStore, 'list'>) {
  return async (workspaceId: string, rowsMax: number): Promise<Deliverability[]> =>
    (await list(workspaceId, {}, null, rowsMax)).map((domain) => {
      const those = (standing: 'failing' | 'warning') =>
        domain.areas.filter((state) => state.standing === standing).map(({ area }) => AREA_TITLES[area]);
      return {
        name: domain.name,
        status: statusOf(domain),
        score: domain.score,
        checkedMs: domain.checked_at_ms,
        failing: those('failing'),
        warning: those('warning'),
      };
    });
}
