import type { StatusPage, StatusPageIncident } from '../../../api/types.ts';

export type IncidentState = StatusPageIncident['state'];
export type Impact = StatusPageIncident['impact'];

export const STATES: readonly IncidentState[] = ['investigating', 'identified', 'monitoring', 'resolved'];
export const IMPACTS: readonly Impact[] = ['none', 'maintenance', 'degraded', 'partial_outage', 'outage'];

/** What people change of an incident that exists. */
export interface AboutInput {
  title: string;
  impact: Impact;
  component_ids: readonly string[];
}

export interface UpdateInput {
  state: IncidentState;
  text: string;
}

export const emptyIncident: AboutInput & UpdateInput = {
  title: '',
  impact: 'none',
  component_ids: [],
  state: 'investigating',
  text: '',
};

export function aboutOf({ title, impact, component_ids }: AboutInput): AboutInput {
  return { title, impact, component_ids };
}

/** Returns the state that the next update probably has: the one after the present one. Pure. */
export function nextState(state: IncidentState): IncidentState {
  return STATES[STATES.indexOf(state) + 1] ?? state;
}

/** Returns what an incident can name: the components of the page. Pure. */
export function choicesOf({ groups }: Pick<StatusPage, 'groups'>): { id: string; name: string }[] {
  return groups.flatMap(({ components }) => components.map(({ id, name }) => ({ id, name })));
}
