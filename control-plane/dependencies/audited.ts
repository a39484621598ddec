import type { AuditAction, AuditEvent } from '../audit/audit.js';
import type { DependencyDocument } from './documents.js';
import type { DependencyNames } from './names.js';

/** Returns the audit event of a change of a dependency. */
export function audited(action: AuditAction, dependency: DependencyDocument, names: DependencyNames): AuditEvent {
  const { _id, monitor_id, server_id, tag, on_monitor_id } = dependency;
  return {
    action,
    resource: { type: 'dependency', id: _id, name: dependencyName(names) },
    metadata: {
      ...(monitor_id === null ? {} : { monitor_id }),
      ...(server_id === null ? {} : { server_id }),
      ...(tag === null ? {} : { tag }),
      on_monitor_id,
    },
  };
}

/** `web-1 depends on router` */
export function dependencyName({ dependent, on }: DependencyNames): string {
  return `${dependent} depends on ${on}`;
}
