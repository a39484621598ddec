import type { components } from '#openapi';

type Schemas = components['schemas'];

export type Account = Schemas['OwnAccount'];
export type Billing = Schemas['Billing'];
export type CreateMonitor = Schemas['CreateMonitor'];
export type Decision = Schemas['Decision'];
export type Incident = Schemas['Incident'];
export type IncidentDetail = Schemas['IncidentDetail'];
export type InvitationPreview = Schemas['InvitationPreview'];
export type Location = Schemas['Location'];
export type Monitor = Schemas['Monitor'];
export type Result = Schemas['Result'];
export type TimelineLine = Schemas['TimelineLine'];

/** A list as the API answers it. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** A single object as the API answers it. */
export interface One<Thing> {
  data: Thing;
}
