/** What a node and the control plane must agree on before the first message. */

/** The certificate of every control plane has this name. Nodes verify it independently of the host. */
export const SERVER_NAME = 'picket-control-plane';

/** First characters of a join token; the rest is base64url of JSON with these fields. */
export const JOIN_TOKEN_PREFIX = 'pjt_';
export const JOIN_TOKEN_VERSION = 1;

/** The metadata entry of `Connect` with the id of the node's process. */
export const INSTANCE_METADATA = 'picket-instance';

/** `Hello.protocol`. The control plane refuses a newer version than its own. */
export const PROTOCOL_VERSION = 1;
