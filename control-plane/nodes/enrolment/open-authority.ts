import { readFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { SettingError } from '../../../kernel/settings.js';
import type { Config } from '../../config.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { createAuthorityStore } from './authority-store.js';
import { type CertificateAuthority, givenCertificate, openCertificateAuthority } from './certificate-authority.js';

export type { CertificateAuthority } from './certificate-authority.js';

/** The certificate that the settings name, else the embedded authority. Throws SettingError for files of no use. */
export async function openAuthority(parts: {
  config: Pick<Config, 'tls' | 'host' | 'grpcAddress' | 'publicUrl'>;
  db: Db;
  secretBox: SecretBox;
  clock: Clock;
  random: Random;
  logger: Logger;
}): Promise<CertificateAuthority> {
  const { config } = parts;
  if (config.tls !== null) {
    const chain = read('PICKET_TLS_CERT', config.tls.certFile);
    const key = read('PICKET_TLS_KEY', config.tls.keyFile);
    try {
      return givenCertificate({ chain, key });
    } catch (error) {
      throw new SettingError('PICKET_TLS_CERT', `cannot be used: ${error instanceof Error ? error.message : error}`);
    }
  }
  const dialled = config.grpcAddress.split(',').map((address) => address.trim().replace(/:\d+$/, ''));
  const hosts = new Set([...dialled, new URL(config.publicUrl).hostname, config.host].map(withoutBrackets));
  return openCertificateAuthority({ ...parts, store: createAuthorityStore(parts.db), hosts: [...hosts] });
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function read(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingError(variable, `cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
