import { toIso } from '../../kernel/clock.js';
import { deviceOf } from './devices/device.js';
import type { SessionDocument } from './documents.js';
import type { SessionView } from './schema.js';

/** `currentId` is the session of the request. */
export function sessionOf(document: SessionDocument, currentId: string | null): SessionView {
  return {
    id: document._id,
    current: document._id === currentId,
    device: deviceOf(document.user_agent),
    user_agent: document.user_agent,
    ip: document.ip,
    method: document.method,
    second_factor: document.second_factor,
    workspace_id: document.workspace_id,
    created_at: toIso(document.created_at_ms),
    last_used_at: toIso(document.last_used_at_ms),
    expires_at: toIso(document.expires_at_ms),
  };
}
