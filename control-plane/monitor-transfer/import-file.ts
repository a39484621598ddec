import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { AppError, type FieldError } from '../errors.js';
import { IMPORT_MONITORS_MAX, PORTABLE_VERSION, PortableMonitor } from './portable.js';
import { readUptimeKuma } from './uptime-kuma/read.js';

/** One monitor of the file: an entry of valid shape, or what is wrong with it. */
export interface ImportEntry {
  name: string;
  entry: PortableMonitor | null;
  errors: FieldError[];
  notes: string[];
}

export interface ImportFile {
  format: 'picket' | 'uptime-kuma';
  /** The field of the body that holds the entries, for the paths of errors. */
  field: 'monitors' | 'monitorList';
  entries: ImportEntry[];
}

/** Returns a reader of parsed files: a Picket export or an Uptime Kuma backup. It throws 422 for any other content. */
export function createImportFileReader(): (data: unknown) => ImportFile {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  // A keyword of the HTTP layer, which has no effect here.
  ajv.addKeyword('verbatim');
  const validate = ajv.compile<PortableMonitor>(PortableMonitor);

  function entryOf(value: unknown, name: string, notes: string[]): ImportEntry {
    if (validate(value)) return { name, entry: value, errors: [], notes };
    return { name, entry: null, errors: shapeErrors(validate.errors ?? []), notes };
  }

  return (data) => {
    const file: Record<string, unknown> = Object(data);
    if (file['monitorList'] !== undefined) {
      const entries = readUptimeKuma(file['monitorList']).map(
        ({ name, entry, reason, notes }): ImportEntry =>
          entry === null
            ? { name, entry: null, errors: [{ path: '', message: reason ?? 'cannot be imported' }], notes }
            : entryOf(entry, name, notes),
      );
      return bounded({ format: 'uptime-kuma', field: 'monitorList', entries });
    }
    const unknown = Object.keys(file).find((field) => field !== 'version' && field !== 'monitors');
    if (unknown !== undefined) throw refuse(`/${unknown}`, 'is not a known field');
    if (!Array.isArray(file['monitors'])) {
      throw refuse('/monitors', 'must be a list of monitors (or /monitorList a list from an Uptime Kuma backup)');
    }
    if (file['version'] !== PORTABLE_VERSION) throw refuse('/version', `must be ${PORTABLE_VERSION}`);
    const entries = file['monitors'].map((value: unknown) => entryOf(value, nameOf(value), []));
    return bounded({ format: 'picket', field: 'monitors', entries });
  };
}

function bounded(file: ImportFile): ImportFile {
  if (file.entries.length <= IMPORT_MONITORS_MAX) return file;
  throw refuse(`/${file.field}`, `must not have more than ${IMPORT_MONITORS_MAX} entries; split the file`);
}

function nameOf(value: unknown): string {
  const { name } = Object(value);
  return typeof name === 'string' ? name : '';
}

function refuse(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}

/** Returns the errors of ajv without those that only state that a field may also be null. */
function shapeErrors(found: readonly ErrorObject[]): FieldError[] {
  const relevant = found.filter(
    (error) => error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.params['type'] === 'null'),
  );
  return (relevant.length > 0 ? relevant : found).map((error) => {
    const field: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
    const path = typeof field === 'string' ? `${error.instancePath}/${field}` : error.instancePath;
    return { path, message: shapeMessage(error) };
  });
}

function shapeMessage(error: ErrorObject): string {
  const values: unknown = error.params['allowedValues'];
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of ${Array.isArray(values) ? values.join(', ') : 'the known values'}`;
    case 'pattern':
      return 'does not have the required format';
    default:
      return error.message ?? 'is not valid';
  }
}
