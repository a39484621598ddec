import { readFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { SettingError } from '../../../kernel/settings.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { createAuthorityStore } from './authority-store.js';
import { type CertificateAuthority, givenCertificate, openCertificateAuthority } from './certificate-authority.js';

export type { CertificateAuthority } from './certificate-authority.js';

/** The settings of the control plane that decide about its certificate. */
interface AuthoritySettings {
  tls: { certFile: string; keyFile: string } | null;
  host: string;
  grpcAddress: string;
  publicUrl: string;
}

/**
 * Opens the certificate in the settings, or else the embedded authority. Throws SettingError when a file is unusable.
 */
export async function openAuthority(needs: {
  config: AuthoritySettings;
  db: Db;
  secretBox: SecretBox;
  clock: Clock;
  random: Random;
  logger: Logger;
}): Promise<CertificateAuthority> {
  const { config } = needs;
  if (config.tls !== null) {
    const chain = read('PICKET_TLS_CERT', config.tls.certFile);
    const key = read('PICKET_TLS_KEY', config.tls.keyFile);
    try {
      return givenCertificate({ chain, key });
    } catch (error) {
      throw new SettingError('PICKET_TLS_CERT', `is unusable: ${error instanceof Error ? error.message : error}`);
    }
  }
  const addresses = config.grpcAddress.split(',').map((address) => address.trim().replace(/:\d+$/, ''));
  const hosts = new Set([...addresses, new URL(config.publicUrl).hostname, config.host].map(withoutBrackets));
  return openCertificateAuthority({ ...needs, store: createAuthorityStore(needs.db), hosts: [...hosts] });
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
