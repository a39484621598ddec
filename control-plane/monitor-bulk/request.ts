import { type FieldError, invalidFields } from '../errors.js';
import type { CreateMonitor, MonitorOperation, MonitorSelection } from '../monitors/monitors.js';
import type { BulkRequest } from './schema.js';

/** What a request asks for: new monitors, or a change of existing ones. */
export type BulkOrder =
  | { type: 'add'; monitors: readonly CreateMonitor[] }
  | { type: 'change'; operation: MonitorOperation; selection: MonitorSelection };

/** The fields that an operation needs beside its selection. */
const NEEDED = {
  set: 'set',
  add_tags: 'tags',
  remove_tags: 'tags',
  add: 'monitors',
  pause: null,
  resume: null,
  delete: null,
} as const;

/** Returns the order of a request. Throws 422 for fields that are missing or do not belong to the operation. */
export function orderOf(body: BulkRequest): BulkOrder {
  const errors: FieldError[] = [];
  const needed = NEEDED[body.operation];
  for (const field of ['set', 'tags', 'monitors'] as const) {
    if (field === needed && body[field] === undefined) {
      errors.push({ path: `/${field}`, message: `is required for ${body.operation}`, code: 'required' });
    }
    if (field !== needed && body[field] !== undefined) {
      errors.push({ path: `/${field}`, message: `does not belong to ${body.operation}`, code: 'not_of_operation' });
    }
  }
  if (body.detach !== undefined && body.operation !== 'delete') {
    errors.push({ path: '/detach', message: `does not belong to ${body.operation}`, code: 'not_of_operation' });
  }
  if (body.set !== undefined && Object.keys(body.set).length === 0) {
    errors.push({ path: '/set', message: 'must have a field', code: 'empty' });
  }
  errors.push(...selectionErrors(body));
  if (errors.length > 0) throw invalidFields(errors);
  if (body.operation === 'add') return { type: 'add', monitors: body.monitors ?? [] };
  const selection: MonitorSelection =
    body.ids === undefined ? { filter: body.filter ?? {}, except: body.except ?? [] } : { ids: [...new Set(body.ids)] };
  return { type: 'change', operation: operationOf(body), selection };
}

function selectionErrors({ operation, ids, filter, except }: BulkRequest): FieldError[] {
  if (operation === 'add') {
    const extra = Object.entries({ ids, filter, except }).filter(([, value]) => value !== undefined);
    return extra.map(([field]) => ({ path: `/${field}`, message: 'does not belong to add', code: 'not_of_operation' }));
  }
  const errors: FieldError[] = [];
  if (ids === undefined && filter === undefined) {
    errors.push({ path: '/ids', message: 'is required, or /filter', code: 'required' });
  }
  if (ids !== undefined && filter !== undefined) {
    errors.push({ path: '/filter', message: 'must not be set with /ids', code: 'not_with', params: { field: '/ids' } });
  }
  if (ids !== undefined && ids.length === 0) errors.push({ path: '/ids', message: 'must not be empty', code: 'empty' });
  if (except !== undefined && filter === undefined) {
    errors.push({ path: '/except', message: 'needs /filter', code: 'needs_field', params: { field: '/filter' } });
  }
  return errors;
}

function operationOf({ operation: type, set = {}, tags = [], detach = false }: BulkRequest): MonitorOperation {
  if (type === 'set') return { type, fields: set };
  if (type === 'add_tags' || type === 'remove_tags') return { type, tags };
  if (type === 'add') throw new Error('add has no operation on existing monitors');
  if (type === 'delete') return detach ? { type, detach } : { type };
  return { type };
}
