import type { IncidentState, OutageModel } from '../../compile/model.js';

/** Something that happened on a page, in the words of people or without any. */
export type PageEvent =
  | {
      kind: 'incident_update';
      incidentId: string;
      title: string;
      state: IncidentState;
      text: string;
      components: readonly string[];
      componentIds: readonly string[];
      atMs: number;
    }
  | { kind: 'outage_began' | 'outage_ended'; outage: OutageModel; atMs: number }
  | {
      kind: 'maintenance_planned' | 'maintenance_started' | 'maintenance_ended';
      startsMs: number;
      endsMs: number;
      components: readonly string[];
      componentIds: readonly string[];
      atMs: number;
    };
