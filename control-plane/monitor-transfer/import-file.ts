import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { AppError, type FieldError } from '../errors.js';
import { IMPORT_MONITORS_MAX, PORTABLE_VERSION, PortableMonitor } from './portable.js';
import { readUptimeKuma } from './uptime-kuma.js';

/** One monitor of the file: an entry whose shape is right, or what is wrong with it. */
export interface ImportEntry {
  name: string;
  entry: PortableMonitor | null;
  errors: FieldError[];
  notes: string[];
}

export interface ImportFile {
  format: 'picket' | 'uptime-kuma';
  /** Where the entries stand in the body, for the paths of errors. */
  member: 'monitors' | 'monitorList';
  entries: ImportEntry[];
}

/** Reads a parsed file of ours or a backup of Uptime Kuma's; 422 for anything else. Entries are judged one by one. */
export function createImportFileReader(): (data: unknown) => ImportFile {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  // The HTTP layer's own word, without a meaning here.
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
            ? { name, entry: null, errors: [{ path: '', message: reason ?? 'cannot be taken over' }], notes }
            : entryOf(entry, name, notes),
      );
      return bounded({ format: 'uptime-kuma', member: 'monitorList', entries });
    }
    const unknown = Object.keys(file).find((member) => member !== 'version' && member !== 'monitors');
    if (unknown !== undefined) throw refuse(`/${unknown}`, 'is not a known member');
    if (!Array.isArray(file['monitors'])) {
      throw refuse('/monitors', 'must be a list of monitors (or /monitorList one of an Uptime Kuma backup)');
    }
    if (file['version'] !== PORTABLE_VERSION) throw refuse('/version', `must be ${PORTABLE_VERSION}`);
    const entries = file['monitors'].map((value: unknown) => entryOf(value, nameOf(value), []));
    return bounded({ format: 'picket', member: 'monitors', entries });
  };
}

function bounded(file: ImportFile): ImportFile {
  if (file.entries.length <= IMPORT_MONITORS_MAX) return file;
  throw refuse(`/${file.member}`, `must not have more than ${IMPORT_MONITORS_MAX} entries; split the file`);
}

function nameOf(value: unknown): string {
  const { name } = Object(value);
  return typeof name === 'string' ? name : '';
}

function refuse(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}

/** ajv's findings without those that only say that a member may also be null. */
function shapeErrors(found: readonly ErrorObject[]): FieldError[] {
  const telling = found.filter(
    (error) => error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.params['type'] === 'null'),
  );
  return (telling.length > 0 ? telling : found).map((error) => {
    const member: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
    const path = typeof member === 'string' ? `${error.instancePath}/${member}` : error.instancePath;
    return { path, message: shapeMessage(error) };
  });
}

function shapeMessage(error: ErrorObject): string {
  const values: unknown = error.params['allowedValues'];
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a known member';
    case 'enum':
      return `must be one of ${Array.isArray(values) ? values.join(', ') : 'the known values'}`;
    case 'pattern':
      return 'does not have the right form';
    default:
      return error.message ?? 'is not valid';
  }
}
