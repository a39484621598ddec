import type { Clock } from '../../../kernel/clock.js';
import { compilePage } from '../compile/compile.js';
import type { PercentUp } from '../compile/days.js';
import type { PageModel } from '../compile/model.js';
import type { StatusPageDocument } from '../documents.js';
import { createPageDays } from '../facts/days.js';
import type { PageSources } from '../facts/facts.js';
import { gatherFacts } from '../facts/gather.js';
import type { PageIncidentStore } from '../updates/store.js';

/** Returns what compiles a page as it is now, without its days, which are most of the work and no news. */
export function createCompileWithoutDays(needs: {
  incidents: Pick<PageIncidentStore, 'shown'>;
  sources: PageSources;
  percentUp: PercentUp;
  clock: Clock;
}): (page: StatusPageDocument) => Promise<PageModel> {
  const withoutDays = { of: async () => new Map() };
  const gatherNeeds = { ...needs, pageDays: createPageDays(), history: withoutDays };
  return async (page) => compilePage(await gatherFacts(gatherNeeds, page, needs.clock.now()), needs.percentUp);
}
