import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { cose, isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  AssertionCredential,
  RegistrationCredential,
} from '../../../control-plane/second-factor/passkeys/schema.js';

const { COSEKEYS } = cose;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const AAGUID_BYTES = 16;

interface Ceremony {
  challenge: string;
  /** Of the page. */
  origin: string;
  rpId: string;
}

/** An authenticator in software. It does whatever the test wants, unlike a browser. */
export interface SoftwarePasskey {
  id: string;
  register(ceremony: Ceremony, options?: { attestation?: Attestation }): RegistrationCredential;
  assert(ceremony: Ceremony, options: AssertOptions): AssertionCredential;
}

interface Attestation {
  fmt: string;
  attStmt: Map<string, Uint8Array | number | Uint8Array[] | string>;
}

interface AssertOptions {
  counter: number;
  /** Defaults to true. */
  userVerified?: boolean;
  /** In base64url; defaults to none. */
  userHandle?: string | null;
}

/** Returns a new key pair of the algorithm ES256 with a random id. */
export function softwarePasskey(): SoftwarePasskey {
  const id = randomBytes(16).toString('base64url');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    id,
    register(ceremony, { attestation = { fmt: 'none', attStmt: new Map() } } = {}) {
      const authData = Buffer.concat([
        head(ceremony.rpId, USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, 0),
        Buffer.alloc(AAGUID_BYTES),
        Buffer.from([0, 16]),
        Buffer.from(id, 'base64url'),
        coseKey(publicKey),
      ]);
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', attestation.fmt],
          ['attStmt', attestation.attStmt],
          ['authData', new Uint8Array(authData)],
        ]) as never,
      );
      return {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
          attestationObject: Buffer.from(attestationObject).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    assert(ceremony, { counter, userVerified = true, userHandle = null }) {
      const authData = head(ceremony.rpId, USER_PRESENT | (userVerified ? USER_VERIFIED : 0), counter);
      const data = clientData('webauthn.get', ceremony);
      return {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signed(privateKey, authData, data).toString('base64url'),
          userHandle,
        },
      };
    },
  };
}

function head(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function signed(key: KeyObject, authData: Buffer, data: Buffer): Buffer {
  return sign('sha256', Buffer.concat([authData, createHash('sha256').update(data).digest()]), key);
}

/** https://www.rfc-editor.org/rfc/rfc9053#section-7.1 */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const encoded = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [COSEKEYS.kty, 2],
      [COSEKEYS.alg, -7],
      [COSEKEYS.crv, 1],
      [COSEKEYS.x, new Uint8Array(Buffer.from(x, 'base64url'))],
      [COSEKEYS.y, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
  return Buffer.from(encoded);
}
