import { plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  detach: 'Löschen und überall entfernen',
  inUse: (count) =>
    `Nicht gelöscht, denn es wird noch verwendet: ${plural(count, { one: 'Verwendung', other: 'Verwendungen' })}.`,
  removes: 'Beim Löschen wird es auch dort überall entfernt.',
  types: {
    monitor: (name) => `Monitor ${name}`,
    alert_rule: (name) => `Alarmregel ${name}`,
    maintenance_window: (name) => `Wartungsfenster ${name}`,
    dependency: (name) => `Abhängigkeit: ${name}`,
    status_page: (name) => `Statusseite ${name}`,
    incident: (name) => `Vorfall von ${name}`,
  },
  more: (count) => `und ${count} weitere`,
  notifyNobody: (count) =>
    `${plural(count, { one: 'bisherige Verwendung benachrichtigt', other: 'bisherige Verwendungen benachrichtigen' })} jetzt niemanden mehr.`,
};
