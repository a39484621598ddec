import type { WorkspaceDocument } from './documents.js';
import type { PlanName } from './plans.js';

export interface Workspace {
  id: string;
  name: string;
  plan: PlanName;
}

/** What other slices may ask about workspaces. */
export interface Workspaces {
  /** null when there is none of this id. */
  find(id: string): Promise<Workspace | null>;
  /** The first workspace of the installation, whose people run it: platform alerts go there. */
  operators(): Promise<Workspace | null>;
}

export function workspaceOf(document: WorkspaceDocument): Workspace {
  return { id: document._id, name: document.name, plan: document.plan };
}
