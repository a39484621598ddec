import type { SubjectIncident } from '../../incidents/incidents.js';
import type { Coverable, PlannedMaintenance } from '../../maintenance/maintenance.js';
import type { WatchedMonitor } from '../../monitors/monitors.js';
import type { MonitorHours } from '../../results/results.js';
import type { StatusPageDocument } from '../documents.js';
import type { PublicIncident } from '../updates/documents.js';

/** Days that a page shows, with today. */
export const DAYS_SHOWN = 90;
/** Monitors, and also servers, of one page. Each monitor has 90 days of history to read. */
export const THINGS_MAX = 200;
/** Incidents that began longer ago are not listed, unless they last. */
export const PAST_INCIDENT_DAYS = 14;

/** The server as other slices see it. */
export interface WatchedServer {
  _id: string;
  name: string;
  tags: string[];
  status: 'pending' | 'online' | 'offline';
}

type Watched<Thing> = (
  workspaceId: string,
  by: { ids: readonly string[]; tags: readonly string[] },
  rowsMax: number,
) => Promise<Thing[]>;

/** What a page reads of other slices, always of one workspace. */
export interface PageSources {
  monitors: Watched<WatchedMonitor>;
  servers: Watched<WatchedServer>;
  hours: MonitorHours;
  incidents(
    workspaceId: string,
    of: { kinds: readonly string[]; subjects: readonly string[] },
    sinceMs: number,
    rowsMax: number,
  ): Promise<SubjectIncident[]>;
  /** Returns those of the locations of a monitor whose votes are void now, because the location is quarantined. */
  voidVotes(locations: readonly string[]): ReadonlySet<string>;
  planned(workspaceId: string, nowMs: number): PlannedMaintenance[];
  isCovered(what: Coverable, atMs: number): boolean;
  /** Whether Picket does nothing for the workspace at the moment: its pages are not served. */
  isStopped(workspaceId: string): Promise<boolean>;
}

/** How much of a day was observed, and how much of this the thing was up. */
export interface DayFacts {
  observedMs: number;
  upMs: number;
  /** Planned maintenance that counts neither as observed nor as not observed time. */
  leftOutMs: number;
}

/** A monitor or a server as it is now, and what is known of its last days. */
export interface ThingFacts {
  type: 'monitor' | 'server';
  id: string;
  name: string;
  tags: readonly string[];
  /** `unknown`: too few locations have a result that is new enough. `paused`: nobody checks it. */
  state: 'up' | 'down' | 'unknown' | 'paused';
  inMaintenance: boolean;
  /** In the order of the days of the page; null if nothing is kept of it. */
  days: readonly DayFacts[] | null;
}

/** The outage of a thing. */
export interface OutageFacts {
  id: string;
  thingId: string;
  startedMs: number;
  /** null while it lasts. */
  resolvedMs: number | null;
  /** Whether it ended because the thing was up again: people can end it too, and pausing its checks does. */
  recovered: boolean;
}

/** The days of a page, oldest first. */
export interface PageDays {
  /** The first millisecond of each. */
  startsMs: readonly number[];
  /** `2026-01-31` */
  dates: readonly string[];
}

/** Everything that a page says, as it is now. */
export interface PageFacts {
  page: StatusPageDocument;
  nowMs: number;
  days: PageDays;
  things: readonly ThingFacts[];
  /** More than `THINGS_MAX` things have tags of the page: their state is not known. */
  tooMany: { monitors: boolean; servers: boolean };
  outages: readonly OutageFacts[];
  /** Those that people have written, the newest first. */
  incidents: readonly PublicIncident[];
  planned: readonly PlannedMaintenance[];
}
