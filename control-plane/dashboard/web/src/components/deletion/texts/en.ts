import { plural } from '../../../texts/format.ts';

export const en = {
  detach: 'Delete and remove from all',
  inUse: (count: number) =>
    `It was not deleted: ${plural(count, { one: 'thing still uses it', other: 'things still use it' })}.`,
  removes: 'Deleting it also removes it from all of them.',
  types: {
    monitor: (name: string) => `Monitor ${name}`,
    alert_rule: (name: string) => `Alert rule ${name}`,
    maintenance_window: (name: string) => `Maintenance window ${name}`,
    dependency: (name: string) => `Dependency: ${name}`,
    status_page: (name: string) => `Status page ${name}`,
    incident: (name: string) => `Incident of ${name}`,
  } as Readonly<Record<string, (name: string) => string>>,
  more: (count: number) => `and ${count} more`,
  notifyNobody: (count: number) =>
    `${plural(count, { one: 'thing that used it now notifies', other: 'things that used it now notify' })} nobody.`,
};
