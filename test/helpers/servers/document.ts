import type { ServerDocument } from '../../../control-plane/servers/documents.js';

/** Returns a server as enrolment makes it, with the fields of `over`. */
export function serverDocument(
  over: Partial<ServerDocument> & Pick<ServerDocument, '_id' | 'workspace_id'>,
): ServerDocument {
  return {
    name: 'web-1',
    tags: [],
    hostname: 'web-1',
    ip: null,
    os: '',
    kernel: '',
    agent_version: '0.0.0',
    report_interval_ms: 10_000,
    inventory: null,
    status: 'pending',
    status_changed_at_ms: 0,
    live: null,
    dropped: { too_old: 0, values: 0 },
    agent_dropped: 0,
    created_at_ms: 0,
    updated_at_ms: 0,
    version: 1,
    ...over,
  };
}
