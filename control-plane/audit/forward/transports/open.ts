import type { lookup as systemLookup } from 'node:dns';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Clock } from '../../../../kernel/clock.js';
import { createGuardedConnect } from '../../../../kernel/guard/guarded-connect.js';
import { createGuardedFetch } from '../../../../kernel/guard/guarded-fetch.js';
import type { TargetGuard } from '../../../../kernel/guard/target-guard.js';
import type { SecretBox } from '../../../storage/secret-box.js';
import type { ForwarderDocument } from '../documents.js';
import { openSecrets } from '../secrets.js';
import { parseTarget } from '../target.js';
import { ForwardError, type Transport, type TransportOptions } from './interface.js';
import { openSyslogStream } from './syslog-stream.js';
import { openSyslogUdp } from './syslog-udp.js';
import { openWebhook } from './webhook.js';

export interface TransportNeeds {
  guard: TargetGuard;
  clock: Clock;
  lookup: typeof systemLookup;
  box: SecretBox;
  /** The version of Picket. */
  version: string;
  /** The host name of this installation, for syslog. */
  hostname: string;
  /** How long a syslog connection must stay up after the receiver's kernel acknowledged a batch. */
  settleMs: number;
}

export type OpenTransport = (forwarder: ForwarderDocument, options: TransportOptions) => Promise<Transport>;

/** Connects to the receiver of a forwarder. Rejects with a ForwardError if it is unreachable. */
export function createOpenTransport(needs: TransportNeeds): OpenTransport {
  return async (forwarder, options) => {
    const target = parseTarget(forwarder.target);
    if (target === null) throw new ForwardError('the target is invalid');
    if (target.type === 'webhook') return webhook(needs, forwarder, target.url, options);
    const { host, port, protocol } = target;
    const context = { hostname: needs.hostname, workspaceId: forwarder.workspace_id, forwarderId: forwarder._id };
    if (protocol === 'udp') return openSyslogUdp(needs, { host, port }, context, options);
    const tls = protocol === 'tls' ? (trusting(forwarder.ca) ?? createSecureContext()) : null;
    return openSyslogStream({ ...needs, connect: createGuardedConnect(needs) }, { host, port, tls }, context, options);
  };
}

function webhook(
  needs: TransportNeeds,
  forwarder: ForwarderDocument,
  url: string,
  options: TransportOptions,
): Transport {
  const { auth, signingSecret } = openSecrets(forwarder, needs.box);
  if (signingSecret === null) throw new ForwardError('the forwarder has no signing secret');
  const secureContext = trusting(forwarder.ca);
  const fetch = createGuardedFetch({ ...needs, ...(secureContext === null ? {} : { secureContext }) });
  const receiver = {
    url,
    auth,
    signingSecret,
    format: forwarder.format,
    forwarderId: forwarder._id,
    workspaceId: forwarder.workspace_id,
    userAgent: `Picket/${needs.version}`,
  };
  return openWebhook({ fetch, clock: needs.clock }, receiver, options);
}

/** Returns a context that trusts the public authorities and this one; null without one. */
function trusting(ca: string | null): SecureContext | null {
  return ca === null ? null : createSecureContext({ ca: [...rootCertificates, ca] });
}
