/** Everything before a query, the query, and the fragment, as they are written. */
const QUERY = /^([^?#]*)\?([^#]*)(.*)$/s;

/** A part of a query, as it is written: `name=value`, or a value alone. */
interface QueryPart {
  /** With the `=`; empty for a value alone. */
  name: string;
  value: string;
}

/** Returns the URL with each value of its query replaced. The rest of the URL stays as it is written. */
export function withQueryValues(url: string, replaced: (part: QueryPart) => string): string {
  return url.replace(QUERY, (_all, before: string, query: string, fragment: string) => {
    const parts = query.split('&').map((text) => {
      const part = partOf(text);
      return `${part.name}${part.value === '' ? '' : replaced(part)}`;
    });
    return `${before}?${parts.join('&')}${fragment}`;
  });
}

/** Returns the values of a query by their names, those of one name in their order. */
export function queryValuesOf(url: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  withQueryValues(url, ({ name, value }) => {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
    return value;
  });
  return values;
}

function partOf(text: string): QueryPart {
  const end = text.indexOf('=') + 1;
  return { name: text.slice(0, end), value: text.slice(end) };
}
