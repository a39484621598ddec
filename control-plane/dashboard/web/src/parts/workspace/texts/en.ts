import { plural } from '../../../texts/format.ts';

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });

interface Summary {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
}

export const en = {
  state: (plan: string, isRequired: boolean) =>
    `A workspace on the ${plan} plan. ${isRequired ? 'Everybody needs a second factor.' : 'A second factor is not required.'}`,
  willBeDeleted: (at: string) => `This workspace has stopped, and all its data will be deleted on ${at}.`,
  general: 'General',
  name: 'Name',
  requireFactor: 'Require a second factor',
  requireFactorHelp: 'People without one can then only set one up. API keys keep working.',
  save: 'Save',
  saved: 'The settings are saved.',
  exportTitle: 'Export monitors',
  exportHelp: 'All monitors in a file that you can keep, change and import again.',
  format: 'Format',
  withSecrets: 'With passwords, header values and request bodies',
  withSecretsHelp: 'Otherwise *** stands in their place; an import then keeps the stored ones.',
  export: 'Download file',
  importTitle: 'Import monitors',
  importHelp:
    'A file from Picket, or a backup of Uptime Kuma (Settings, Backup, Export). Picket first shows what would change. Monitors with the same name are changed, all others stay.',
  file: 'File (JSON or YAML, at most 1 MiB)',
  fileProblems: {
    empty: 'The file is empty. Choose another one.',
    large: 'The file is larger than 1 MiB. Divide it: monitors that are not in a file stay unchanged.',
    unreadable: 'The browser could not read the file. Choose it again.',
  },
  reading: 'Comparing the file with your monitors…',
  wouldImport: ({ created, updated, unchanged, refused }: Summary) =>
    `This would create ${monitors(created)} and change ${updated}; ${unchanged} ${unchanged === 1 ? 'is' : 'are'} the same already, ${refused} cannot be imported.`,
  hasImported: ({ created, updated, unchanged, refused }: Summary) =>
    `${monitors(created)} created and ${updated} changed; ${unchanged} ${unchanged === 1 ? 'was' : 'were'} the same already, ${refused} could not be imported.`,
  isKuma: 'The file is a backup of Uptime Kuma.',
  actions: { created: 'new', updated: 'changed', unchanged: 'same', refused: 'not imported' },
  changes: (fields: string[]) => `Changes: ${fields.join(', ')}`,
  showAll: (count: number) => `Show all ${count}`,
  importNow: (count: number) => `Import ${monitors(count)}`,
  deleteTitle: 'Delete the workspace',
  deleteHelp: 'Checks and notifications stop at once. For seven days, an owner can cancel this here.',
  delete: 'Delete workspace',
  deleteAsk: (name: string) => `Delete ${name}?`,
  deleteText:
    'All checks, notifications and samples of servers stop at once, for all members. After seven days everything is deleted.',
  typeName: (name: string) => `Type the name of the workspace: ${name}`,
  cancel: 'Cancel',
  restoreTitle: 'Keep the workspace',
  restoreHelp: 'Checks and notifications continue as before. Only the time in between is missing.',
  restoreByOwner: 'An owner can cancel the deletion here until then.',
  restore: 'Restore workspace',
  restored: (name: string) => `${name} works again.`,
};
