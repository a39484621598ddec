import { toIso } from '../../kernel/clock.js';
import type { DependencyDocument } from './documents.js';
import type { DependencyNames } from './names.js';
import type { Dependency } from './schema.js';

/** Returns a dependency in the API's shape. */
export function dependencyView(dependency: DependencyDocument, names: DependencyNames): Dependency {
  const { _id, monitor_id, server_id, tag, on_monitor_id, created_by, created_at_ms } = dependency;
  return {
    id: _id,
    dependent: { monitor_id, server_id, tag, name: names.dependent },
    depends_on: { monitor_id: on_monitor_id, name: names.on },
    created_by,
    created_at: toIso(created_at_ms),
  };
}
