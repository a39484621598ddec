/**
 * The refusal of agents whose workspace is suspended or being deleted. They keep their samples and try again; the delay
 * decides how soon they return when the workspace is resumed.
 */
export const WORKSPACE_STOPPED = {
  code: 'workspace_stopped',
  detail: 'the workspace of this server is suspended or is being deleted',
  retryAfterMs: 30_000,
} as const;
