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
  outageEnded(component: string, duration: string): string;
  /** It was closed, and nobody saw that the component is up again. */
  outageClosed(component: string, duration: string): string;
  affected(components: string): string;
  /** Said of an update whose text was changed. */
  edited: string;
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
  duration: { minutes(count: number): string; hours(count: number): string; days(count: number): string };
  notFound: { title: string; text: string };
  unavailable: { title: string; text: string };
  tooMany: { title: string; text: string };
  membersOnly: { title: string; text: string };
  password: { title: string; label: string; button: string; wrong: string };
}
