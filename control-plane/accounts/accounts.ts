import type { PlanName } from '../plans/plans.js';
import type { WorkspaceDocument } from './documents.js';

export interface Workspace {
  id: string;
  name: string;
  plan: PlanName;
}

/** Workspaces, as other slices read them. */
export interface Workspaces {
  /** Resolves to null when no workspace has this id. */
  find(id: string): Promise<Workspace | null>;
  /**
   * Resolves to the workspace of the first run, whose people operate the installation and get the platform alerts; null
   * before the first run.
   */
  operators(): Promise<Workspace | null>;
}

export function workspaceOf(document: WorkspaceDocument): Workspace {
  return { id: document._id, name: document.name, plan: document.plan };
}
