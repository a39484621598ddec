import type { lookup as systemLookup } from 'node:dns';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Clock } from '../../../../kernel/clock.js';
import { createGuardedConnect } from '../../../../kernel/guarded-connect.js';
import { createGuardedFetch } from '../../../../kernel/guarded-fetch.js';
import type { TargetGuard } from '../../../../kernel/target-guard.js';
import type { SecretBox } from '../../../storage/secret-box.js';
import type { ForwarderDocument } from '../documents.js';
import { openSecrets } from '../secrets.js';
import { parseTarget } from '../target.js';
import { openSyslogStream } from './syslog-stream.js';
import { openSyslogUdp } from './syslog-udp.js';
import { ForwardError, type Opening, type Transport } from './transport.js';
import { openWebhook } from './webhook.js';

export interface TransportDeps {
  guard: TargetGuard;
  clock: Clock;
  lookup: typeof systemLookup;
  box: SecretBox;
  /** Of Picket. */
  version: string;
  /** Host of this installation, for syslog. */
  hostname: string;
  /** How long a syslog connection stays whole until what was acknowledged by the receiver's kernel counts. */
  settleMs: number;
}

export type OpenTransport = (forwarder: ForwarderDocument, opening: Opening) => Promise<Transport>;

/** Opens the way to a forwarder's receiver. Rejects with a ForwardError when it cannot be reached. */
export function createOpenTransport(deps: TransportDeps): OpenTransport {
  return async (forwarder, opening) => {
    const target = parseTarget(forwarder.target);
    if (target === null) throw new ForwardError('the target cannot be read');
    if (target.type === 'webhook') return webhook(deps, forwarder, target.url, opening);
    const { host, port, protocol } = target;
    const context = { hostname: deps.hostname, workspaceId: forwarder.workspace_id, forwarderId: forwarder._id };
    if (protocol === 'udp') return openSyslogUdp(deps, { host, port }, context, opening);
    const tls = protocol === 'tls' ? (trusting(forwarder.ca) ?? createSecureContext()) : null;
    return openSyslogStream({ ...deps, connect: createGuardedConnect(deps) }, { host, port, tls }, context, opening);
  };
}

function webhook(deps: TransportDeps, forwarder: ForwarderDocument, url: string, opening: Opening): Transport {
  const { auth, signingSecret } = openSecrets(forwarder.sealed, deps.box);
  if (signingSecret === null) throw new ForwardError('the forwarder has no signing secret');
  const secureContext = trusting(forwarder.ca);
  const fetch = createGuardedFetch({ ...deps, ...(secureContext === null ? {} : { secureContext }) });
  const receiver = {
    url,
    auth,
    signingSecret,
    format: forwarder.format,
    forwarderId: forwarder._id,
    workspaceId: forwarder.workspace_id,
    userAgent: `Picket/${deps.version}`,
  };
  return openWebhook({ fetch, clock: deps.clock }, receiver, opening);
}

/** The system's authorities and this one; null where the system's are enough. */
function trusting(ca: string | null): SecureContext | null {
  return ca === null ? null : createSecureContext({ ca: [...rootCertificates, ca] });
}
