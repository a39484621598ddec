import { type IncidentKind, RUNBOOK_LABEL } from '../../incidents/kind.js';

/** A monitor's certificate that expires soon, or has expired. */
export const certificateKind: IncidentKind = {
  kind: 'certificate',
  description: 'an expiring certificate',
  started: null,
  byAlertRules: false,
  decision: null,
  examples: [],
  state: () => ({ opened: 'CERTIFICATE EXPIRING', lasting: 'CERTIFICATE STILL EXPIRING' }),
  name: ({ monitor_name, resource }) => monitor_name ?? resource.name,
  recoveredTitle: () => null,
  subjectFacts: () => [],
  evidenceFacts: () => [],
  votes: () => [],
  resolutions: { paused: 'the monitor was paused', deleted: 'the monitor was deleted' },
  runbookLabel: RUNBOOK_LABEL,
};
