import { createPublicKey } from 'node:crypto';
import type { Texts } from '../../../kernel/dns/answer.js';
import type { Lookups } from '../check/lookups.js';
import { type AreaVerdict, decided, type Evidence, type Finding, notMeasured, unknown } from './area.js';
import { failureOf, readTags } from './record-texts.js';

/** Selectors of widely used services. A key under another one is found only if somebody names it. */
const COMMON_SELECTORS: readonly string[] = [
  ...['default', 'dkim', 'mail', 'smtp', 'key1', 'k1', 'k2', 'k3', 's1', 's2', 'selector1', 'selector2'],
  ...['google', 'fm1', 'fm2', 'fm3', 'protonmail', 'protonmail2', 'protonmail3', 'mandrill', 'zoho', 'amazonses'],
];

/** A name that nobody uses. Where it has a record, a wildcard answers for every selector. */
const UNUSED_SELECTOR = 'picket-no-such-selector';
const RSA_BITS_MIN = 1_024;
const RSA_BITS_GOOD = 2_048;
const ED25519_BYTES = 32;

export interface DkimAnswers {
  /** Those that somebody named, in their order. */
  given: { selector: string; answer: Texts }[];
  /** The common ones that have a record of their own. Empty where a wildcard answers, or where that is unknown. */
  common: { selector: string; answer: Texts }[];
  hasWildcard: boolean;
  /** Whether a lookup of a common selector failed, or that which finds a wildcard. */
  commonFailed: boolean;
}

export async function readDkim(name: string, selectors: readonly string[], lookups: Lookups): Promise<DkimAnswers> {
  const ask = async (selector: string) => ({
    selector,
    answer: await lookups.texts(`${selector}._domainkey.${name}`),
  });
  const [unused, given, common] = await Promise.all([
    ask(UNUSED_SELECTOR),
    Promise.all(selectors.map(ask)),
    Promise.all(COMMON_SELECTORS.filter((selector) => !selectors.includes(selector)).map(ask)),
  ]);
  const failed = ({ answer }: { answer: Texts }) => answer.kind === 'failed' || answer.kind === 'timeout';
  const hasWildcard = unused.answer.kind === 'texts';
  // Where nobody knows whether a wildcard answers, a common selector may have no record of its own.
  const hasOwn = !hasWildcard && !failed(unused);
  return {
    given,
    common: hasOwn ? common.filter(({ answer }) => answer.kind === 'texts') : [],
    hasWildcard,
    commonFailed: failed(unused) || common.some(failed),
  };
}

/** What a record says about its key. */
type DkimKey =
  | { kind: 'rsa'; bits: number; isTest: boolean }
  | { kind: 'ed25519'; isTest: boolean }
  | { kind: 'revoked' }
  | { kind: 'invalid'; reason: string };

/** Reads the records of a selector (RFC 6376, section 3.6.1). Pure. */
function readKey(texts: readonly string[]): DkimKey {
  const [text = ''] = texts;
  if (texts.length > 1) return { kind: 'invalid', reason: 'there are several records' };
  const tags = readTags(text);
  if (tags === null) return { kind: 'invalid', reason: 'it is not a list of tags' };
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return { kind: 'invalid', reason: 'its version is not DKIM1' };
  const encoded = tags.get('p')?.replace(/\s/g, '');
  if (encoded === undefined) return { kind: 'invalid', reason: 'it has no key' };
  if (encoded === '') return { kind: 'revoked' };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return { kind: 'invalid', reason: 'its key is not Base64' };
  const key = Buffer.from(encoded, 'base64');
  const isTest = (tags.get('t') ?? '').split(':').includes('y');
  const type = (tags.get('k') ?? 'rsa').toLowerCase();
  if (type === 'ed25519') {
    const isWhole = key.length === ED25519_BYTES;
    return isWhole
      ? { kind: 'ed25519', isTest }
      : { kind: 'invalid', reason: 'its Ed25519 key does not have 32 bytes' };
  }
  if (type !== 'rsa') return { kind: 'invalid', reason: 'the type of its key is neither rsa nor ed25519' };
  const bits = rsaBits(key);
  return bits === null ? { kind: 'invalid', reason: 'its RSA key cannot be read' } : { kind: 'rsa', bits, isTest };
}

/** Returns null for bytes that are not an RSA key. Keys are published as SubjectPublicKeyInfo, rarely as RSAPublicKey. */
function rsaBits(der: Buffer): number | null {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      const key = createPublicKey({ key: der, format: 'der', type });
      if (key.asymmetricKeyType === 'rsa') return key.asymmetricKeyDetails?.modulusLength ?? null;
    } catch {
      // Not of this form.
    }
  }
  return null;
}

/** Returns the verdict on the keys. Pure. */
export function judgeDkim(name: string, { given, common, hasWildcard, commonFailed }: DkimAnswers): AreaVerdict {
  const evidence: Evidence[] = [];
  const findings: Finding[] = [];
  let usable = 0;
  let failed = 0;
  const ofCommon = common.map((one) => ({ ...one, isGiven: false }));
  for (const { selector, answer, isGiven } of [...given.map((one) => ({ ...one, isGiven: true })), ...ofCommon]) {
    if (answer.kind === 'failed' || answer.kind === 'timeout') {
      failed++;
      evidence.push({ label: selector, value: failureOf(answer) });
      continue;
    }
    const key = answer.kind === 'none' ? null : readKey(answer.texts);
    evidence.push({ label: selector, value: key === null ? 'no record' : describeKey(key) });
    // A key that nobody named may be an old one. It is only shown.
    if (key !== null && (key.kind === 'rsa' || key.kind === 'ed25519')) usable++;
    else if (!isGiven) continue;
    findings.push(...keyFindings(selector, key));
  }
  if (hasWildcard) findings.push(wildcardFinding(name));
  if (failed > 0 && !findings.some(({ level }) => level === 'failing')) {
    return unknown(`A DKIM key of ${name} could not be looked up.`, evidence);
  }
  if (given.length > 0 || usable > 0) return decided(findings, evidence);
  return commonFailed ? unknown(`The DKIM keys of ${name} could not be looked up.`) : withoutSelectors(name, evidence);
}

function withoutSelectors(name: string, evidence: Evidence[]): AreaVerdict {
  const message = `${name} has no DKIM key under a common selector. Picket cannot list the selectors of a domain.`;
  const next_step =
    'Add the selectors that your mail servers sign with. They are in the header “DKIM-Signature” of a sent e-mail, after “s=”.';
  return notMeasured({ code: 'dkim_selector_needed', message, next_step }, evidence);
}

function describeKey(key: DkimKey): string {
  if (key.kind === 'invalid') return `not valid: ${key.reason}`;
  if (key.kind === 'revoked') return 'revoked: the key is empty';
  const test = key.isTest ? ', in test mode' : '';
  return key.kind === 'rsa' ? `RSA, ${key.bits} bits${test}` : `Ed25519${test}`;
}

function keyFindings(selector: string, key: DkimKey | null): Finding[] {
  const finding = (code: string, level: Finding['level'], message: string, next_step: string): Finding[] => [
    { code, level, message, next_step },
  ];
  const publish = 'Publish the key that your mail server signs with, or remove the selector here.';
  if (key === null) return finding('dkim_missing', 'failing', `The selector ${selector} has no record.`, publish);
  if (key.kind === 'revoked') {
    return finding('dkim_revoked', 'failing', `The key of the selector ${selector} is revoked.`, publish);
  }
  if (key.kind === 'invalid') {
    const message = `The record of the selector ${selector} is not valid: ${key.reason}.`;
    return finding('dkim_invalid', 'failing', message, 'Publish the record again as your mail service shows it.');
  }
  const findings: Finding[] = [];
  if (key.kind === 'rsa' && key.bits < RSA_BITS_GOOD) {
    const isBroken = key.bits < RSA_BITS_MIN;
    const message = `The RSA key of the selector ${selector} has ${key.bits} bits.`;
    const next = `Change to a key of ${RSA_BITS_GOOD.toLocaleString('en-US')} bits.`;
    findings.push(...finding('dkim_short_key', isBroken ? 'failing' : 'warning', message, next));
  }
  if (key.isTest) {
    const message = `The key of the selector ${selector} is in test mode (“t=y”), so receivers may ignore it.`;
    findings.push(...finding('dkim_test_mode', 'warning', message, 'Remove “t=y” from the record.'));
  }
  return findings;
}

function wildcardFinding(name: string): Finding {
  return {
    code: 'dkim_wildcard',
    level: 'info',
    message: `A wildcard record answers for every selector below _domainkey.${name}, so Picket looks only at the selectors that you name.`,
    next_step: null,
  };
}
