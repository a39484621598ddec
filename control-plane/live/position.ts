/** Where a client is in the log: it has these events of the document `document`, and all of the documents before. */
export interface Position {
  document: number;
  /** How many of the entries of its workspace; null means all. */
  entries: number | null;
}

const TEXT = /^(\d{1,15})(?:-(\d{1,5}))?$/;

/** Returns the position that an event id names; null for any other text. */
export function positionOf(text: string): Position | null {
  const [, document, entries] = TEXT.exec(text) ?? [];
  if (document === undefined) return null;
  return { document: Number(document), entries: entries === undefined ? null : Number(entries) };
}

/** Returns the id of the event behind which a client is at this position. */
export function idOfPosition({ document, entries }: Position): string {
  return entries === null ? String(document) : `${document}-${entries}`;
}
