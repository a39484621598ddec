/** A line of a status page: the state of a monitor, of a server, or of everything that has a tag. Exactly one is not null. */
export interface ComponentSettings {
  /** `cmp_…`, the same as long as the component exists: badges and incidents name it. */
  id: string;
  /** Public, like the description. */
  name: string;
  description: string | null;
  monitor_id: string | null;
  server_id: string | null;
  tag: string | null;
  /** Of a tag: each monitor and server that has it gets a line of its own, with its name in Picket. */
  show_each: boolean;
}

export interface ComponentGroup {
  /** null: the components have no heading. */
  name: string | null;
  components: ComponentSettings[];
}

/** Who may see a page: everybody, who knows its password, or members of its workspace who are logged in. */
export const VISIBILITIES = ['public', 'password', 'members'] as const;

/** What people choose of a status page. */
export interface PageSettings {
  /** The last part of its address; no two pages of the installation have the same. */
  slug: string;
  title: string;
  description: string | null;
  /** IANA name. Days and times on the page are in it. */
  time_zone: string;
  /** `#1f4e79` */
  color: string;
  groups: ComponentGroup[];
  /** An outage is on the page as an incident after so many minutes; null: never. */
  incidents_after_minutes: number | null;
  visibility: (typeof VISIBILITIES)[number];
}

/** One document of `status_pages`. */
export interface StatusPageDocument extends PageSettings {
  _id: string;
  workspace_id: string;
  /** null: the page has none. */
  password_hash: string | null;
  created_by: string;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes, for `ETag`. */
  version: number;
}

export function componentsOf({ groups }: Pick<PageSettings, 'groups'>): ComponentSettings[] {
  return groups.flatMap(({ components }) => components);
}
