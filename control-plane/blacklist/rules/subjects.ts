/** Returns the subject of the incident of a listing. */
export function listingSubject(monitorId: string, provider: string): string {
  return `${listingSubjects(monitorId)}${provider}`;
}

/** Returns the beginning of the subjects of all listings of a monitor. */
export function listingSubjects(monitorId: string): string {
  return `blacklist:${monitorId}:`;
}

/** Returns null for any other subject. */
export function parseListingSubject(subject: string): { monitorId: string; provider: string } | null {
  const [kind, monitorId = '', ...provider] = subject.split(':');
  return kind === 'blacklist' ? { monitorId, provider: provider.join(':') } : null;
}
