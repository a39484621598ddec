import type { ForwardFormat } from '../documents.js';
import { cefFormat } from './cef.js';
import type { Format } from './interface.js';
import { jsonFormat } from './json.js';
import { ocsfFormat } from './ocsf.js';

export const FORMATS: Record<ForwardFormat, Format> = { json: jsonFormat, cef: cefFormat, ocsf: ocsfFormat };
