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

/** How a page proved that a host name is its own: by the TXT record, or because the name is an alias of Picket's. */
export const HOST_PROOFS = ['txt', 'cname'] as const;
export type HostProof = (typeof HOST_PROOFS)[number];

/** A host name under which a page is reached once it is verified. */
export interface HostDocument {
  /** Lower-case punycode, without a dot at its end. */
  name: string;
  /** null: not verified. */
  proof: HostProof | null;
  verified_at_ms: number | null;
  /** When its records were last read; null before the first time. */
  checked_at_ms: number | null;
  /** Since when the records of a verified name are gone; null while they are there. */
  missing_since_ms: number | null;
  added_at_ms: number;
  /** When its records are read next. */
  next_at_ms: number;
}

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
  /** Its own host names; the first verified one is its main address. Without the field: none. */
  hosts?: HostDocument[];
}

/** What a page has of its logo; the picture is in `status_page_logos`. */
export interface PageLogo {
  /** Of the picture, for its address. */
  hash: string;
}

/** One document of `status_pages`. */
export interface StatusPageDocument extends PageSettings {
  _id: string;
  workspace_id: string;
  /** The verified names of `hosts`, at most one page of the installation has each. Without the field: none. */
  verified_hosts?: string[];
  /** Without the field, like null: none. */
  logo?: PageLogo | null;
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
