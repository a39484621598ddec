/** Something that a workspace has over a limit of a plan. */
export interface Over {
  name: string;
  detail: string;
}

/** Returns what the answer of a refused change says to be over the limits; empty for any other answer. */
export function overIn(body: Readonly<Record<string, unknown>>): Over[] {
  const list: unknown = body['over_quota'];
  if (!Array.isArray(list)) return [];
  return list.map(({ name, detail }) => ({ name: String(name), detail: String(detail) }));
}
