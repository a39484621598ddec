/**
 * A document of `control_plane_reports`: what a control plane says about itself. `_id` is its name in leases, another one
 * after each start. The heartbeat of `control_planes` is a second one, because the judgement of silent agents depends on
 * it and must not wait for this.
 */
export interface ControlPlaneReport {
  _id: string;
  version: string;
  /** Like the other times, by the database's clock. */
  started_at: Date;
  seen_at: Date;
  /** It was stopped in an orderly way. */
  stopped: boolean;
  /** By how much its clock is ahead of the database's. */
  clock_offset_ms: number;
  /** Open streams of `GET /v1/events`. */
  event_streams: number;
  /** Open streams of probes and agents. */
  node_streams: number;
}

/** What a control plane reports each time. */
export type ReportedNow = Pick<ControlPlaneReport, 'version' | 'clock_offset_ms' | 'event_streams' | 'node_streams'>;
