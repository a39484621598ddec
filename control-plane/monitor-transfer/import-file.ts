import { AppError, type FieldError, type FieldErrorParams } from '../errors.js';
import { createSchemaCompiler } from '../http/input/schema-check.js';
import { mapInParts, type Turn } from './in-parts.js';
import { IMPORT_MONITORS_MAX, PORTABLE_VERSION, PortableMonitor } from './portable.js';
import { readKumaRow, rowsOf } from './uptime-kuma/read.js';

/** One monitor of the file: an entry of valid shape, or what is wrong with it. */
export interface ImportEntry {
  name: string;
  entry: PortableMonitor | null;
  errors: FieldError[];
  notes: FieldError[];
}

export interface ImportFile {
  format: 'picket' | 'uptime-kuma';
  /** The field of the body that holds the entries, for the paths of errors. */
  field: 'monitors' | 'monitorList';
  entries: ImportEntry[];
}

/**
 * Returns a reader of parsed files: a Picket export or an Uptime Kuma backup. It throws 422 for any other content. Other work
 * of the process runs at each `turn`.
 */
export function createImportFileReader(): (data: unknown, turn: Turn) => Promise<ImportFile> {
  const schema = createSchemaCompiler()(PortableMonitor);

  function entryOf(value: unknown, name: string, notes: FieldError[]): ImportEntry {
    const checked = schema.read(value);
    return checked.ok
      ? { name, entry: checked.value, errors: [], notes }
      : { name, entry: null, errors: checked.errors, notes };
  }

  return async (data, turn) => {
    const file: Record<string, unknown> = Object(data);
    if (file['monitorList'] !== undefined) {
      const rows = rowsOf(file['monitorList']);
      refuseTooMany('monitorList', rows.length);
      const entries = await mapInParts(rows, turn, (row): ImportEntry => {
        const { name, entry, reason, params, notes } = readKumaRow(row);
        if (entry !== null) return entryOf(entry, name, notes);
        return { name, entry: null, errors: [refusal(reason ?? 'cannot be imported', params)], notes };
      });
      return { format: 'uptime-kuma', field: 'monitorList', entries };
    }
    const unknown = Object.keys(file).find((field) => field !== 'version' && field !== 'monitors');
    if (unknown !== undefined) throw refuse(`/${unknown}`, 'is not a known field');
    const { monitors } = file;
    if (!Array.isArray(monitors)) {
      throw refuse('/monitors', 'must be a list of monitors (or /monitorList a list from an Uptime Kuma backup)');
    }
    if (file['version'] !== PORTABLE_VERSION) throw refuse('/version', `must be ${PORTABLE_VERSION}`);
    refuseTooMany('monitors', monitors.length);
    const entries = await mapInParts(monitors, turn, (value: unknown) => entryOf(value, nameOf(value), []));
    return { format: 'picket', field: 'monitors', entries };
  };
}

function refusal(message: string, params: FieldErrorParams): FieldError {
  return { path: '', message, code: 'unsupported', params };
}

/** Counts before anything is validated: a file of 1 MiB can have half a million entries. */
function refuseTooMany(field: ImportFile['field'], count: number): void {
  if (count <= IMPORT_MONITORS_MAX) return;
  throw refuse(`/${field}`, `must not have more than ${IMPORT_MONITORS_MAX} entries; split the file`);
}

function nameOf(value: unknown): string {
  const { name } = Object(value);
  return typeof name === 'string' ? name : '';
}

function refuse(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}
