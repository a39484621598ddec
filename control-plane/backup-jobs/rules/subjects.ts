const PREFIX = 'backup:';

/** Returns the subject of the incident of a job. A job has one at most, whatever is wrong with it. */
export function backupSubject(jobId: string): string {
  return `${PREFIX}${jobId}`;
}

/** Returns the job; null for any other subject. */
export function jobOfSubject(subject: string): string | null {
  return subject.startsWith(PREFIX) ? subject.slice(PREFIX.length) : null;
}
