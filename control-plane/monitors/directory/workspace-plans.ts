import type { PlanName, WorkspacePlans } from '../../plans/plans.js';

/** The plan of a workspace that does not exist, such as one that is being deleted: nothing is kept longer for it. */
const PLAN_OF_UNKNOWN_WORKSPACE: PlanName = 'Free';

/** Keeps the plans of the workspaces that have monitors. */
export function createPlansOfWorkspaces(workspacePlans: WorkspacePlans) {
  const known = new Map<string, PlanName>();

  async function read(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const found = await workspacePlans.plans(ids);
    const plan = (id: string) => found.get(id) ?? PLAN_OF_UNKNOWN_WORKSPACE;
    const changed = new Set(ids.filter((id) => known.get(id) !== plan(id)));
    for (const id of changed) known.set(id, plan(id));
    return changed;
  }

  return {
    of: (workspaceId: string) => known.get(workspaceId) ?? PLAN_OF_UNKNOWN_WORKSPACE,
    /** Reads the plans that are not known. */
    async learn(rows: readonly { workspace_id: string }[]): Promise<void> {
      await read([...new Set(rows.map((row) => row.workspace_id))].filter((id) => !known.has(id)));
    },
    /** Reads all known plans again; resolves to the workspaces whose plan changed. */
    refresh: () => read([...known.keys()]),
  };
}
