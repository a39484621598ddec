import { type Judged, passed, unknown } from './finding.js';
import type { Measured, MeasuredTls } from './measured.js';

const REDIRECTS = passed('http_redirects', 'Without https, the website answers nothing but a redirect.');

/** Returns the findings on the encryption of a website. Pure. */
export function judgeTls({ tls, page, plainHttp }: Measured): Judged[] {
  if (tls === null || page.url.startsWith('http:')) {
    // Visitors get to the encrypted website of the other host.
    if (page.redirectsToHttps) return [REDIRECTS];
    return [
      {
        code: 'https_missing',
        severity: 'high',
        evidence: page.url,
        message: 'The page is not encrypted: everybody on the way can read and change it.',
        next_step: 'Serve the website by https, and redirect http to it.',
      },
    ];
  }
  return [...judgePlainHttp(plainHttp), ...tls.offers.map(judgeOffer), judgeNegotiated(tls)];
}

function judgePlainHttp(plainHttp: string): Judged[] {
  if (plainHttp === '') return [];
  if (plainHttp === 'redirects' || plainHttp === 'closed') {
    return [REDIRECTS];
  }
  if (plainHttp !== 'serves')
    return [unknown('http_redirects', 'Whether http redirects to https could not be measured.')];
  return [
    {
      code: 'http_served',
      severity: 'medium',
      evidence: 'http:// answers without a redirect to https://',
      message: 'The website also answers without encryption.',
      next_step: 'Redirect every http address to https with status 301.',
    },
  ];
}

const OFFERS: Readonly<
  Record<string, { title: string; severity: 'medium' | 'high' | 'low'; message: string; next_step: string }>
> = {
  'TLSv1.0': {
    title: 'TLS 1.0',
    severity: 'medium',
    message: 'The server accepts TLS 1.0, which is outdated and has known weaknesses.',
    next_step: 'Allow only TLS 1.2 and 1.3 in the settings of the web server.',
  },
  'TLSv1.1': {
    title: 'TLS 1.1',
    severity: 'medium',
    message: 'The server accepts TLS 1.1, which is outdated.',
    next_step: 'Allow only TLS 1.2 and 1.3 in the settings of the web server.',
  },
  weak_ciphers: {
    title: 'Weak cipher suites',
    severity: 'high',
    message: 'The server accepts a cipher suite that is broken, or that encrypts nothing.',
    next_step: 'Remove RC4, DES, 3DES, export, NULL and anonymous suites from the settings of the web server.',
  },
  no_forward_secrecy: {
    title: 'Cipher suites without forward secrecy',
    severity: 'low',
    message: 'Who gets the key of the certificate can also read connections that were recorded before.',
    next_step: 'Allow only ECDHE and DHE suites in the settings of the web server.',
  },
};

function judgeOffer({ name, outcome, cipher }: MeasuredTls['offers'][number]): Judged {
  const offer = OFFERS[name];
  const code = `tls_${name.toLowerCase().replace('tlsv', '').replace('.', '_')}`;
  if (offer === undefined || outcome === 'unknown')
    return unknown(code, `${offer?.title ?? name} could not be measured.`);
  if (outcome === 'refused') return passed(code, `${offer.title}: the server refuses.`);
  return { code, severity: offer.severity, message: offer.message, next_step: offer.next_step, evidence: cipher };
}

function judgeNegotiated({ protocol, cipher }: MeasuredTls): Judged {
  const evidence = `${protocol}, ${cipher}`;
  if (protocol === 'TLSv1.3') return passed('tls_1_3', 'The server supports TLS 1.3.', evidence);
  return {
    code: 'tls_1_3_missing',
    severity: 'info',
    evidence,
    message: 'The server does not support TLS 1.3, which is faster and has no weak settings.',
    next_step: 'Enable TLS 1.3 in the settings of the web server.',
  };
}
