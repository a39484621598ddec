/** Cipher suites by their number in the IANA registry of TLS. */
type Suites = ReadonlyMap<number, string>;

/** Suites that servers with TLS 1.0 and 1.1 support. */
export const OLD_TLS_SUITES: Suites = new Map([
  [0xc014, 'ECDHE-RSA-AES256-SHA'],
  [0xc013, 'ECDHE-RSA-AES128-SHA'],
  [0xc00a, 'ECDHE-ECDSA-AES256-SHA'],
  [0xc009, 'ECDHE-ECDSA-AES128-SHA'],
  [0x0039, 'DHE-RSA-AES256-SHA'],
  [0x0033, 'DHE-RSA-AES128-SHA'],
  [0x0035, 'AES256-SHA'],
  [0x002f, 'AES128-SHA'],
  [0xc012, 'ECDHE-RSA-DES-CBC3-SHA'],
  [0x000a, 'DES-CBC3-SHA'],
  [0x0005, 'RC4-SHA'],
]);

/** Suites that encrypt weakly, not at all, or for anyone: RC4, DES, 3DES, export, NULL and anonymous ones. */
export const WEAK_SUITES: Suites = new Map([
  [0x0018, 'ADH-RC4-MD5'],
  [0x0034, 'ADH-AES128-SHA'],
  [0x003a, 'ADH-AES256-SHA'],
  [0x006c, 'ADH-AES128-SHA256'],
  [0x00a6, 'ADH-AES128-GCM-SHA256'],
  [0xc018, 'AECDH-AES128-SHA'],
  [0xc019, 'AECDH-AES256-SHA'],
  [0x0001, 'NULL-MD5'],
  [0x0002, 'NULL-SHA'],
  [0x003b, 'NULL-SHA256'],
  [0xc006, 'ECDHE-ECDSA-NULL-SHA'],
  [0xc010, 'ECDHE-RSA-NULL-SHA'],
  [0x0003, 'EXP-RC4-MD5'],
  [0x0006, 'EXP-RC2-CBC-MD5'],
  [0x0008, 'EXP-DES-CBC-SHA'],
  [0x0014, 'EXP-EDH-RSA-DES-CBC-SHA'],
  [0x0004, 'RC4-MD5'],
  [0x0005, 'RC4-SHA'],
  [0xc007, 'ECDHE-ECDSA-RC4-SHA'],
  [0xc011, 'ECDHE-RSA-RC4-SHA'],
  [0x0009, 'DES-CBC-SHA'],
  [0x0015, 'EDH-RSA-DES-CBC-SHA'],
  [0x000a, 'DES-CBC3-SHA'],
  [0x0016, 'EDH-RSA-DES-CBC3-SHA'],
  [0xc008, 'ECDHE-ECDSA-DES-CBC3-SHA'],
  [0xc012, 'ECDHE-RSA-DES-CBC3-SHA'],
]);

/** Suites without forward secrecy: who gets the key of the certificate can read recorded connections. */
export const STATIC_RSA_SUITES: Suites = new Map([
  [0x009d, 'AES256-GCM-SHA384'],
  [0x009c, 'AES128-GCM-SHA256'],
  [0x003d, 'AES256-SHA256'],
  [0x003c, 'AES128-SHA256'],
  [0x0035, 'AES256-SHA'],
  [0x002f, 'AES128-SHA'],
]);
