const TIME_DIGITS = 13;

/** Returns the `_id` of a document of a server at a time, so that a range of `_id` is a range of its history, sorted. */
export function historyId(serverId: string, atMs: number): string {
  return `${serverId}/${String(Math.max(0, Math.floor(atMs))).padStart(TIME_DIGITS, '0')}`;
}

/** Returns an id that sorts after all documents of the server, and before those of the next server. */
export function afterServer(serverId: string): string {
  return `${serverId}/~`;
}

export function splitHistoryId(id: string): { serverId: string; atMs: number } {
  const slash = id.lastIndexOf('/');
  return { serverId: id.slice(0, slash), atMs: Number(id.slice(slash + 1)) };
}
