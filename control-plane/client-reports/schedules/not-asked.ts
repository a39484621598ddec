/** Returns the warning about recipients that get no question today; none if there are none. Pure. */
export function notAskedWarnings(addresses: readonly string[]): string[] {
  if (addresses.length === 0) return [];
  const who = addresses.join(', ');
  return [
    `Not asked, because too many e-mails that ask were sent today: ${who}. They get no reports until they confirm. To ask them, remove them and add them again on another day (UTC).`,
  ];
}
