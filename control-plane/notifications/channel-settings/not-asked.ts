/** Returns the warning about addresses that get no question today; none if there are none. Pure. */
export function notAskedWarnings(addresses: readonly string[]): string[] {
  if (addresses.length === 0) return [];
  const who = addresses.join(', ');
  return [
    `Not asked, because too many e-mails that ask were sent today: ${who}. Nothing reaches them until they confirm. Ask again on another day (UTC) with POST /v1/channels/{id}/ask.`,
  ];
}
