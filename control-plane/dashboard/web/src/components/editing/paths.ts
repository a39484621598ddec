/** Values of a form: fields, some of them in objects. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the value at a path such as `http.keyword`. Pure. */
export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), values);
}

/** Returns the values with another one at a path. Pure. */
export function withValue<Whole>(values: Whole, path: string, value: unknown): Whole {
  const [name = '', ...rest] = path.split('.');
  const inside: Values = isObject(values) ? values : {};
  const changed = rest.length === 0 ? value : withValue(inside[name], rest.join('.'), value);
  return { ...inside, [name]: changed } as Whole;
}

/** Returns the paths of all fields, also of those in objects. A list is one field. Pure. */
export function fieldsOf(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isObject(value) ? fieldsOf(value).map((path) => `${name}.${path}`) : [name],
  );
}

/** Whether two values have the same content. They come from JSON. Pure. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
