import type { PlanName } from './plans.js';

/** What Picket does for a workspace at the moment. */
export interface Standing {
  plan: PlanName;
  /** Its history is kept as long as this plan says: after a downgrade, the previous plan for some more days. */
  retentionPlan: PlanName;
  /** The workspace is suspended or is being deleted: no checks, notifications and samples. */
  stopped: boolean;
  /** The only address that notifications may go to, until an owner has confirmed theirs; null for any receiver. */
  onlyTo: string | null;
  /** The silence of its agents proves nothing: Picket refuses their streams, or did so until a moment ago. */
  agentsExcused: boolean;
  /** When it worked again after it was stopped last; null if it never was. */
  resumedMs: number | null;
}

/** Reads the standing of workspaces. Workspaces that do not exist are not in the map. */
export interface WorkspaceStandings {
  standings(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Standing>>;
}

/** A workspace whose plan changed, or that was stopped or resumed, until what depends on it is written. */
export interface ChangedTerms {
  workspaceId: string;
  plan: PlanName;
  stopped: boolean;
  /** Counts the changes. */
  revision: number;
  /** The time since the change by the database's clock. */
  ageMs: number;
}

/** The changes of workspaces that are not applied to what they contain. */
export interface TermsChanges {
  /** Resolves to the oldest, at most `limit`. */
  pending(limit: number): Promise<ChangedTerms[]>;
  /** The change is applied. Does nothing if there was another change since. */
  applied(change: ChangedTerms): Promise<void>;
}
