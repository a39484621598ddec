const TIME_DIGITS = 13;

/** `_id` of what is stored of a server at a time, so that a range of `_id` is a history in order. */
export function historyId(serverId: string, atMs: number): string {
  return `${serverId}/${String(Math.max(0, Math.floor(atMs))).padStart(TIME_DIGITS, '0')}`;
}

/** Sorts above everything of the server and below everything of the next one. */
export function afterServer(serverId: string): string {
  return `${serverId}/~`;
}

export function splitHistoryId(id: string): { serverId: string; atMs: number } {
  const slash = id.lastIndexOf('/');
  return { serverId: id.slice(0, slash), atMs: Number(id.slice(slash + 1)) };
}
