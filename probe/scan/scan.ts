import type { TLSSocket } from 'node:tls';
import type { Random } from '../../kernel/random.js';
import type { ScanResult } from '../../proto/generated/picket/link/v1/ScanResult.js';
import type { ScanTask__Output } from '../../proto/generated/picket/link/v1/ScanTask.js';
import type { ScanTls } from '../../proto/generated/picket/link/v1/ScanTls.js';
import { parseHttpUrl } from '../checks/http/http.js';
import { CheckFailure } from '../checks/outcome.js';
import { readFacts } from '../checks/tls/certificate-facts.js';
import { createScanBudget } from './budget.js';
import { createScanClient, hostOf, portOf, type ScanClientNeeds } from './client.js';
import { findExposedFiles } from './exposed-files.js';
import { readPage } from './page.js';
import { readPlainHttp } from './plain-http.js';
import { findOpenPorts } from './ports.js';
import { readSecurityText } from './security-text.js';
import { offerWeakTls } from './tls-offers.js';

/** A task may ask for less time, not for more. */
const SCAN_MS_MAX = 90_000;

/** Runs a security scan. Resolves to what it measured, or rejects with an error of the probe. An aborted scan has no result. */
export type Scan = (task: ScanTask__Output, signal: AbortSignal) => Promise<ScanResult>;

export interface ScanNeeds extends ScanClientNeeds {
  random: Random;
  /** Which ports to connect to. Defaults to those of services that should not be public. */
  ports?: readonly number[];
}

export function createScan(needs: ScanNeeds): Scan {
  return async (task, signal) => {
    const budget = createScanBudget(needs.clock, Math.min(SCAN_MS_MAX, task.timeoutMs || SCAN_MS_MAX));
    const of = { scanId: task.scanId, attempt: task.attempt };
    const spent = () => ({
      connections: budget.connections(),
      bytes: budget.bytes(),
      durationMs: Math.round(budget.elapsedMs()),
    });
    try {
      const start = parseHttpUrl(task.url);
      const host = hostOf(start);
      const client = createScanClient(needs, { host, budget, signal });
      let tls: ScanTls | null = null;
      const { page, url } = await readPage(client, start, (socket) => {
        tls = tlsOf(socket, host);
      });
      const measured = {
        page,
        plainHttp: await readPlainHttp(client, url),
        files: await findExposedFiles(client, url, needs.random),
        securityText: await readSecurityText(client, url),
        tls:
          tls === null
            ? null
            : await withOffers(tls, () => offerWeakTls(client, { host, port: portOf(url) }, needs.random)),
        ports: await findOpenPorts(client, needs.ports),
      };
      return { ...of, ...measured, address: client.address() ?? '', ...spent() };
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      return { ...of, errorCode: error.code, errorMessage: error.message, ...spent() };
    }
  };
}

async function withOffers(tls: ScanTls, offer: () => Promise<NonNullable<ScanTls['offers']>>): Promise<ScanTls> {
  return { ...tls, offers: await offer() };
}

function tlsOf(socket: TLSSocket, host: string): ScanTls {
  const x509 = socket.getPeerX509Certificate();
  const negotiated = { protocol: socket.getProtocol() ?? '', cipher: socket.getCipher().name };
  if (x509 === undefined) return { ...negotiated, problem: 'NO_CERTIFICATE' };
  const facts = readFacts(x509, '', host);
  return {
    ...negotiated,
    // By its type this is an Error, but it is OpenSSL's code of the problem, like CERT_HAS_EXPIRED.
    problem: socket.authorized ? '' : String(socket.authorizationError),
    nameMatches: facts.nameMatches,
    notAfterMs: facts.notAfterMs,
    issuer: facts.issuer,
    subject: facts.subject,
    keyType: facts.key.type,
    keyBits: facts.key.bits,
  };
}
