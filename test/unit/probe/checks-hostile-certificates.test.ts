import { X509Certificate } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';
import t, { type Test } from 'tap';
import { readFacts } from '../../../probe/checks/tls/certificate-facts.js';
import { startStepCounter } from '../../helpers/count-steps.js';
import { answering } from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';
import { type CertificateOptions, createAuthority, startTlsTarget } from '../../helpers/probe/targets-tls.js';

/** OpenSSL refuses a larger chain: `SSL_MAX_CERT_LIST_DEFAULT`. */
const CHAIN_BYTES_MAX = 100 * 1024;
/** The certificate without its names, and the one that issued it. */
const OTHER_BYTES = 1024;
/** Above the steps if each name is read once. If each is compared with the rest, it is a thousand times as many. */
const STEPS_MAX = 10 * CHAIN_BYTES_MAX;
/** Tags of names in a certificate, RFC 5280 section 4.2.1.6. */
const [DNS, URI, IP, REGISTERED_ID] = [0x82, 0x86, 0x87, 0x88] as const;

const counter = startStepCounter();
t.teardown(() => counter.stop());
const authority = await createAuthority();
/** Node writes this name in quotes, and then reads every other name in a slower way. */
const QUOTED_NAME = der(DNS, '"');

function der(tag: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const { length } = bytes;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x83, length >> 16, length >> 8, length];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

/** Returns the extension with these names. */
function extension(names: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(names));
}

function filledWith(name: Buffer): Buffer {
  const count = Math.floor((CHAIN_BYTES_MAX - OTHER_BYTES) / name.length);
  return extension([QUOTED_NAME, ...Array<Buffer>(count).fill(name)]);
}

async function certificateOf(options: CertificateOptions): Promise<X509Certificate> {
  return new X509Certificate((await authority.issue(options)).cert);
}

/** Records the texts of names that Node.js gets to compare, until the end of the test. */
function recordComparedNames(t: Test): string[] {
  const compared: string[] = [];
  const { checkServerIdentity } = tls;
  const replace = (by: typeof checkServerIdentity) => {
    Object.assign(tls, { checkServerIdentity: by });
    syncBuiltinESMExports();
  };
  replace((host, certificate) => {
    compared.push(certificate.subjectaltname ?? '');
    return checkServerIdentity(host, certificate);
  });
  t.teardown(() => replace(checkServerIdentity));
  return compared;
}

t.test('the names of the largest certificate are read once each', async (t) => {
  const hostile: [string, Buffer][] = [
    ['empty names', filledWith(der(DNS, ''))],
    ['empty addresses, which take thirty characters each', filledWith(der(IP, ''))],
    ['short names', filledWith(der(DNS, 'a'))],
    ['names in quotes', filledWith(der(URI, '"'))],
    ['commas', extension([der(URI, ','.repeat(CHAIN_BYTES_MAX - OTHER_BYTES))])],
    ['object identifiers', filledWith(der(REGISTERED_ID, '\x01'))],
  ];
  const compared = recordComparedNames(t);
  for (const [name, subjectAltName] of hostile) {
    const certificate = await certificateOf({ subjectAltName });
    const steps = await counter.stepsOf(
      () => void t.notOk(readFacts(certificate, 'x', 'shop.example.com').nameMatches, name),
    );
    t.ok(steps < STEPS_MAX, `${name}: ${steps} steps`);
    t.ok(compared.splice(0).length <= 1, `${name}: Node.js compares them at most once`);
  }
});

t.test('Node.js compares no name in quotes, after which it searches the rest of the names for each name', async (t) => {
  const compared = recordComparedNames(t);
  const certificate = await certificateOf({ subjectAltName: filledWith(der(DNS, 'shop.example.com')) });
  t.ok(readFacts(certificate, 'x', 'shop.example.com').nameMatches);
  t.equal(compared.length, 1);
  t.ok(compared[0]?.startsWith('DNS:shop.example.com, DNS:shop.example.com'));
  t.notOk(compared[0]?.includes('"'));
});

t.test('the largest certificate fails a check like any other one for another name', async (t) => {
  const checker = testChecker({ extraCaPem: authority.pem });
  const issued = await authority.issue({ subjectAltName: filledWith(der(IP, '')) });
  const target = await startTlsTarget(issued, answering('secure'));
  t.teardown(async () => {
    await target.close();
    checker.close();
  });
  t.match(await checker.http(`https://localhost:${target.port}/`), {
    error: { code: 'tls_name_mismatch', message: /, "<invalid length=0>" and others, not for "localhost"$/ },
    certificate: { grade: 'T', fingerprint: issued.fingerprint },
  });
});

t.test('which hosts a certificate is for', async (t) => {
  const quotedAndPlain = extension([QUOTED_NAME, der(DNS, 'shop.example.com'), der(URI, 'a,b')]);
  const cases: [CertificateOptions, string, boolean][] = [
    [{ names: ['shop.example.com'] }, 'shop.example.com', true],
    [{ names: ['SHOP.example.com'] }, 'shop.example.com', true],
    [{ names: ['*.example.com'] }, 'shop.example.com', true],
    [{ names: ['*.example.com'] }, 'a_b.example.com', true],
    [{ names: ['*.example.com'] }, 'a.shop.example.com', false],
    [{ names: ['*.example.com'] }, 'example.com', false],
    [{ names: ['*.com'] }, 'example.com', false],
    [{ names: ['other.example.com', 'shop.example.com'] }, 'shop.example.com', true],
    [{ names: ['192.0.2.1', '2001:db8::1'] }, '192.0.2.1', true],
    [{ names: ['192.0.2.1', '2001:db8::1'] }, '2001:db8:0::1', true],
    [{ names: ['192.0.2.1', '2001:db8::1'] }, '192.0.2.2', false],
    [{ subjectAltName: quotedAndPlain }, 'shop.example.com', true],
    [{ subjectAltName: quotedAndPlain }, 'b', false],
    [{ subjectAltName: extension([QUOTED_NAME]) }, 'localhost', false],
    [{ subjectAltName: extension([der(URI, 'https://a.example/')]) }, 'localhost', true],
    [{ names: ['192.0.2.1'], subject: 'CN=shop.example.com' }, 'shop.example.com', true],
    [{ names: ['other.example.com'], subject: 'CN=shop.example.com' }, 'shop.example.com', false],
  ];
  for (const [options, host, expected] of cases) {
    const certificate = await certificateOf(options);
    const { nameMatches } = readFacts(certificate, 'x', host);
    t.equal(nameMatches, expected, `${certificate.subjectAltName} for ${host}`);
  }
});
