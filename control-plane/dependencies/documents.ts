/** One document of `dependencies`: something depends on a monitor. Exactly one of the first three fields is not null. */
export interface DependencyDocument extends Dependent {
  _id: string;
  workspace_id: string;
  /** The monitor that it depends on. */
  on_monitor_id: string;
  created_by: string;
  created_at_ms: number;
}

/** What depends on a monitor: a monitor, a server, or every monitor and server with a tag. */
export interface Dependent {
  monitor_id: string | null;
  server_id: string | null;
  tag: string | null;
}

/** One document of `dependency_changes`: counts the dependencies that a workspace created, so that creations take turns. */
export interface DependencyChangesDocument {
  /** The workspace. */
  _id: string;
  workspace_id: string;
  count: number;
}
