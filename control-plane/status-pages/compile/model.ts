/** The state of a component, as the page says it. */
export type ComponentState = 'operational' | 'maintenance' | 'not_known' | 'degraded' | 'partial_outage' | 'outage';

/** The state of the whole page. `empty`: it has no components. */
export type OverallState = Exclude<ComponentState, 'outage'> | 'major_outage' | 'empty';

/** The state of an incident. */
export type IncidentState = 'investigating' | 'identified' | 'monitoring' | 'resolved';

/** How many of the things that a component shows are meant. */
export interface Proportion {
  down: number;
  /** Those that are watched. */
  of: number;
  /** There are more than `of`, which were not read. */
  isMore: boolean;
}

export interface DayModel {
  /** Percentage of the observed time; null if nothing was observed. */
  uptime: number | null;
  /** Percentage of the day that was observed, up to now for today. */
  coverage: number;
  downMs: number;
}

export interface ComponentModel {
  /** null for a line that a tag makes. */
  id: string | null;
  name: string;
  description: string | null;
  state: ComponentState;
  /** What is down of a component in the state `partial_outage`; null in other states, or if only people say so. */
  proportion: Proportion | null;
  /** Of all days together. */
  uptime: number | null;
  coverage: number;
  /** Oldest first, one for each of the page's dates; null if no history is kept of it. */
  days: readonly DayModel[] | null;
}

export interface GroupModel {
  name: string | null;
  components: readonly ComponentModel[];
}

/** An outage, in neutral words that each language has. */
export interface OutageModel {
  /** The same as long as the outage is on the page. */
  id: string;
  component: string;
  /** Of the settings of the page: lines of one tag share it. */
  componentId: string;
  /** Those that are down, or, once it is over, that were at the same time; null if that is the whole component. */
  proportion: Proportion | null;
  startedMs: number;
  /** null while it lasts. */
  resolvedMs: number | null;
  /** Whether all of it is known to be up again. */
  recovered: boolean;
}

/** An incident that people have written. */
export interface NoticeModel {
  id: string;
  title: string;
  state: IncidentState;
  components: readonly string[];
  componentIds: readonly string[];
  startedMs: number;
  /** null until it is resolved. */
  resolvedMs: number | null;
  /** The newest first. */
  updates: readonly UpdateModel[];
}

export interface UpdateModel {
  id: string;
  state: IncidentState;
  text: string;
  atMs: number;
  /** null until its text is edited. */
  editedMs: number | null;
}

export interface MaintenanceModel {
  /** Of the occurrence. Says nothing of the window. */
  id: string;
  startsMs: number;
  endsMs: number;
  isActive: boolean;
  components: readonly string[];
  componentIds: readonly string[];
  /** The same for all occurrences of a window that repeats; null for one that does not. */
  series: string | null;
}

/** What a page says, without words. */
export interface PageModel {
  slug: string;
  title: string;
  description: string | null;
  color: string;
  /** Differs for each logo; null without one. */
  logo: string | null;
  timeZone: string;
  /** The minute in which it was true. */
  asOfMs: number;
  createdMs: number;
  state: OverallState;
  dates: readonly string[];
  groups: readonly GroupModel[];
  /** Those that last, then those of the last days; each the newest first. */
  outages: readonly OutageModel[];
  /** Those for which the page has no room. Subscribers are told of them all the same. */
  furtherOutages: readonly OutageModel[];
  /** In the same order. */
  notices: readonly NoticeModel[];
  /** The earliest first. */
  maintenance: readonly MaintenanceModel[];
}
