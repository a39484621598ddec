import type { Logger } from '../../../kernel/logger.js';
import { SealBroken, type SealedFor, type SecretBox } from '../../storage/secret-box.js';
import type { MonitorDocument } from '../documents.js';
import { masked, type SecretFields, type SettingsSecrets, secretsOf, unmasked } from '../settings/masks.js';
import { type MonitorSettings, settingsOf } from '../settings/settings.js';

/** The part of a stored monitor that can contain secrets. */
export type SealedMonitor = Pick<MonitorDocument, '_id' | 'sealed'> & SecretFields;

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
}

const sealedFor = (id: string): SealedFor => ({ purpose: 'monitor', id });

export function createMonitorSecrets({ box, logger }: { box: SecretBox; logger: Logger }): MonitorSecrets {
  function secretsIn(monitor: SealedMonitor, sealed: string): SettingsSecrets | null {
    try {
      return JSON.parse(box.open(sealed, sealedFor(monitor._id)));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      logger.error({ err: error, monitor: monitor._id }, 'failed to open the secrets of a monitor; set them again');
      return null;
    }
  }

  function open(monitor: SealedMonitor): SecretFields | null {
    const { url, http, sealed } = monitor;
    if (sealed === null || sealed === undefined) return { url, http };
    const secrets = secretsIn(monitor, sealed);
    return secrets === null ? null : unmasked({ url, http }, secrets).settings;
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
  };
}
