import t from 'tap';
import { matchingStep, otpauthUrl, totpSecretText } from '../../../control-plane/second-factor/totp/code.js';
import { qrCodeSvg } from '../../../control-plane/second-factor/totp/qr-code.js';

/** The secret of RFC 6238, appendix B, for SHA-1. */
const SECRET = totpSecretText(Buffer.from('12345678901234567890', 'ascii'));

/** The table of RFC 6238, appendix B; six digits are the last six of its eight. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

t.test('the codes of RFC 6238', async (t) => {
  for (const [atS, eight] of VECTORS) {
    t.equal(matchingStep(SECRET, eight.slice(-6), atS * 1_000), Math.floor(atS / 30), `at ${atS}`);
  }
});

t.test('a code is accepted one step early and one step late, and names its own step', async (t) => {
  const [atS, eight] = VECTORS[3];
  const code = eight.slice(-6);
  const step = Math.floor(atS / 30);
  for (const [steps, expected] of [
    [-2, null],
    [-1, step],
    [0, step],
    [1, step],
    [2, null],
  ] as const) {
    t.equal(matchingStep(SECRET, code, (atS + steps * 30) * 1_000), expected, `${steps} steps later`);
  }
});

t.test('what is not six digits is never right', async (t) => {
  for (const code of ['', '05924', '0059240', '00592a', ' 005924', '005924\n', '٠٠٥٩٢٤']) {
    t.equal(matchingStep(SECRET, code, 1_234_567_890_000), null, JSON.stringify(code));
  }
});

t.test('the URL for authenticator apps', async (t) => {
  const url = new URL(otpauthUrl(SECRET, 'a b@example.com'));
  t.equal(url.protocol, 'otpauth:');
  t.equal(url.host, 'totp');
  t.equal(decodeURIComponent(url.pathname), '/Picket:a b@example.com');
  t.strictSame(Object.fromEntries(url.searchParams), {
    issuer: 'Picket',
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

t.test('the QR code is an SVG without anything that a browser would run or load', async (t) => {
  const svg = await qrCodeSvg(otpauthUrl(SECRET, `${'x'.repeat(240)}@example.com`));
  t.match(svg, /^<svg [^>]*viewBox="[\d ]+"[^>]*>.*<\/svg>\s*$/s);
  t.notMatch(svg, /script|href|<text/);
});
