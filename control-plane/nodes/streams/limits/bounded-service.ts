import type { NodeLinkDefinition } from '../../../../proto/generated/picket/link/v1/NodeLink.js';
import { MESSAGE_FIELDS_MAX, REPEATED_MAX } from '../../../../proto/limits.js';
import { messageType } from '../../../../proto/load.js';
import { createBoundsCheck } from '../../../../proto/message-bounds.js';
import type { ReceivedMessage } from '../stream.js';

/**
 * Returns the service with a `Connect` that checks each message before it decodes it. A message within the size limit
 * can hold half a million empty elements, which take a hundred times its size when they are decoded. A refused message
 * is passed on with `violation`, so that the session can tell the node and count it.
 */
export function boundedService(service: NodeLinkDefinition): NodeLinkDefinition {
  const check = createBoundsCheck(messageType('FromNode'), REPEATED_MAX, MESSAGE_FIELDS_MAX);
  const { Connect } = service;
  const decode = Connect.requestDeserialize;
  return {
    ...service,
    Connect: {
      ...Connect,
      requestDeserialize(bytes: Buffer): ReceivedMessage {
        const wireBytes = bytes.length;
        const violation = check(bytes);
        if (violation !== null) return { violation: violation.detail, wireBytes };
        try {
          return Object.assign<ReceivedMessage, ReceivedMessage>(decode(bytes), { wireBytes });
        } catch {
          return { violation: 'it is not a valid message', wireBytes };
        }
      },
    },
  };
}
