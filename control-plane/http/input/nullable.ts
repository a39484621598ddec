import { type TSchema, type TSchemaOptions, Type } from 'typebox';

/** The schema or null. */
export const nullable = <S extends TSchema>(schema: S, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);
