import { BSON, type Db } from 'mongodb';

/** Secrets by what they are, so that a failing test names the secret and does not print it. */
type Secrets = ReadonlyMap<string, string>;

/** Returns `<collection>: <what>` for every stored document that contains one of the secrets. */
export async function storedSecrets(db: Db, secrets: Secrets): Promise<string[]> {
  const found = new Set<string>();
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    for await (const document of db.collection(name).find()) {
      const bytes = BSON.serialize(document);
      for (const what of secretsIn(Buffer.from(bytes), secrets)) found.add(`${name}: ${what}`);
    }
  }
  return [...found];
}

/** Returns what the secrets are that the text or the bytes contain. */
export function secretsIn(content: string | Buffer, secrets: Secrets): string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return [...secrets].filter(([, secret]) => bytes.includes(secret)).map(([what]) => what);
}
