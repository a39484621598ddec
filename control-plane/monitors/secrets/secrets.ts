import type { Logger } from '../../../kernel/logger.js';
import { SealBroken, type SealedFor, type SecretBox } from '../../storage/secret-box.js';
import type { HttpSettings, MonitorDocument } from '../documents.js';
import { masked, type SecretFields, type SettingsSecrets, secretsOf, unmasked } from '../settings/masks.js';
import { type MonitorSettings, settingsOf } from '../settings/settings.js';

/** The part of a stored monitor that can contain secrets. */
export type SealedMonitor = Pick<MonitorDocument, '_id' | 'sealed'> & SecretFields;

/** Fields of HTTP settings that are secret. */
export type SecretHttpFields = Partial<Pick<HttpSettings, 'headers' | 'body'>>;

/** Seals and opens the secrets of monitors. Only this file knows how they are sealed. */
export interface MonitorSecrets {
  /** Returns the settings as the monitor stores them: with masks, and their secrets sealed. */
  seal<Settings extends SecretFields>(
    monitorId: string,
    settings: Settings,
  ): Omit<Settings, 'sealed'> & { sealed: string | null };
  /** Returns URL and HTTP settings with their secrets; null, with a line in the log, when they cannot be opened. */
  open(monitor: SealedMonitor): SecretFields | null;
  /** Returns the settings with their secrets. Masks stay in place of secrets that cannot be opened. */
  settings(monitor: MonitorDocument): MonitorSettings;
  /** Seals single fields of a monitor, to restore them later. */
  sealFields(monitorId: string, fields: SecretHttpFields): string;
  /** Returns such fields; null, with a line in the log, when they cannot be opened. */
  openFields(monitorId: string, sealed: string): SecretHttpFields | null;
}

const sealedFor = (id: string): SealedFor => ({ purpose: 'monitor', id });
const fieldsOf = (id: string): SealedFor => ({ purpose: 'monitor_fields', id });

export function createMonitorSecrets({ box, logger }: { box: SecretBox; logger: Logger }): MonitorSecrets {
  function opened<T>(sealed: string, by: SealedFor): T | null {
    try {
      return JSON.parse(box.open(sealed, by));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      logger.error({ err: error, monitor: by.id }, 'failed to open the secrets of a monitor; set them again');
      return null;
    }
  }

  function open(monitor: SealedMonitor): SecretFields | null {
    const { url, http, sealed } = monitor;
    if (sealed === null || sealed === undefined) return { url, http };
    const secrets = opened<SettingsSecrets>(sealed, sealedFor(monitor._id));
    return secrets === null ? null : unmasked({ url, http }, secrets, url).settings;
  }

  return {
    seal(monitorId, settings) {
      const secrets = secretsOf(settings);
      return {
        ...masked(settings),
        sealed: secrets === null ? null : box.seal(JSON.stringify(secrets), sealedFor(monitorId)),
      };
    },
    open,
    settings(monitor) {
      const { url, http } = monitor;
      return { ...settingsOf(monitor), ...(open(monitor) ?? masked({ url, http })) };
    },
    sealFields: (monitorId, fields) => box.seal(JSON.stringify(fields), fieldsOf(monitorId)),
    openFields: (monitorId, sealed) => opened<SecretHttpFields>(sealed, fieldsOf(monitorId)),
  };
}
