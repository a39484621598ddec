/** A page is at most this long, before compression, also with 50 components over 90 days. */
const PAGE_BYTES_MAX = 40_000;

/** How long the texts on one page may be. What is cut is whole in `.json`. */
export interface TextRoom {
  nameBytes: number;
  descriptionBytes: number;
  /** Texts of people about incidents, all together. */
  proseBytes: number;
  /** Incidents that are over. */
  pastIncidents: number;
  /** Incidents that last, with their updates. */
  openIncidents: number;
}

/** The first one is for almost all pages. Each of the others cuts more, first what visitors need least. */
const ROOMS: readonly TextRoom[] = [
  { nameBytes: 600, descriptionBytes: 3_000, proseBytes: 9_000, pastIncidents: 10, openIncidents: 50 },
  { nameBytes: 600, descriptionBytes: 200, proseBytes: 9_000, pastIncidents: 10, openIncidents: 50 },
  { nameBytes: 400, descriptionBytes: 100, proseBytes: 6_000, pastIncidents: 10, openIncidents: 30 },
  { nameBytes: 160, descriptionBytes: 50, proseBytes: 4_000, pastIncidents: 5, openIncidents: 20 },
  { nameBytes: 80, descriptionBytes: 0, proseBytes: 2_000, pastIncidents: 3, openIncidents: 10 },
];

/** Returns the page with as much text as fits. `render` returns the page with texts of this length. */
export function fittingPage<Page extends { html: string }>(render: (room: TextRoom, isCut: boolean) => Page): Page {
  const [full, ...smaller] = ROOMS as readonly [TextRoom, ...TextRoom[]];
  let page = render(full, false);
  for (const room of smaller) {
    if (Buffer.byteLength(page.html) <= PAGE_BYTES_MAX) break;
    page = render(room, true);
  }
  return page;
}
