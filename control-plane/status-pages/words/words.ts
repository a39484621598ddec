import type { ComponentState, IncidentState, OverallState } from '../compile/model.js';

/** The texts of a page in one language. Arguments and results are plain text. */
export interface PageWords {
  overall: Readonly<Record<OverallState, string>>;
  states: Readonly<Record<ComponentState, string>>;
  incidentStates: Readonly<Record<IncidentState, string>>;
  currentIncidents: string;
  pastIncidents: string;
  noPastIncidents(days: number): string;
  components: string;
  maintenance: string;
  maintenanceActive: string;
  maintenancePlanned: string;
  /** The title of an outage that Picket found. */
  outage(component: string): string;
  /** The same after its end. */
  outageOver(component: string): string;
  outageBegan(component: string): string;
  /** Such as `1 of 20`, of things that a component has. */
  ratio(down: number, of: number, isMore: boolean): string;
  /** The state of a component of which a part is down, as short as other states. */
  partState(ratio: string): string;
  /** The state of a page on which no component is down as a whole. */
  partOverall: string;
  /** The same as `outage` and the others, where a part of the component is down. `down` decides on singular or plural. */
  part: {
    outage(component: string, ratio: string, down: number): string;
    outageOver(component: string, ratio: string, down: number): string;
    outageBegan(component: string): string;
    outageEnded(component: string, ratio: string, duration: string): string;
  };
  outageEnded(component: string, duration: string): string;
  /** It was closed, and nobody saw that the component is up again. */
  outageClosed(component: string, duration: string): string;
  affected(components: string): string;
  /** Said of an update whose text was changed. */
  edited: string;
  /** The link to the texts that are cut on the page. */
  allTexts: string;
  /** The link to the calendar of maintenance. */
  calendar: string;
  feed: string;
  from(begin: string, end: string): string;
  uptime(percent: string): string;
  observed(percent: string): string;
  notObserved: string;
  /** What the bars say, for people who do not see them. */
  bars(daysWithDowntime: number): string;
  barOfDay(date: string, uptime: string | null, observed: string): string;
  legend: { up: string; short: string; long: string; none: string };
  daysAgo(days: number): string;
  today: string;
  asOf(time: string, timeZone: string): string;
  /** Said of a page that was written more than 5 minutes ago. */
  stale: string;
  /** The name of the links to a page in its other languages. */
  languages: string;
  duration: { minutes(count: number): string; hours(count: number): string; days(count: number): string };
  notFound: { title: string; text: string };
  unavailable: { title: string; text: string };
  tooMany: { title: string; text: string };
  membersOnly: { title: string; text: string };
  password: { title: string; label: string; button: string; wrong: string };
}
