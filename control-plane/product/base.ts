import type { Registry } from 'prom-client';
import type { Catalogue } from '../blacklist/lists/providers.js';
import type { Config } from '../config.js';
import type { Foundation } from '../foundation.js';
import { createReferences, type ReferenceHolder } from '../references/references.js';

/** What every slice can use. */
export interface Base extends Foundation {
  config: Config;
  version: string;
  /** Of Prometheus metrics. */
  registry: Registry;
  /** The DNS blacklists, read before the database is opened because a wrong file is a wrong setting. */
  catalogue: Catalogue;
}

/** Gives a slice the transactions of requests, with their short deadline, because people wait for what it does. */
export function withRequestDeadline<From extends Base>(from: From): From {
  return { ...from, runTransaction: from.runRequestTransaction };
}

/** Returns what knows the references to a thing, in whichever slices they are stored. */
export function referencesOf({ db, referenceHolders }: Base & { referenceHolders(): readonly ReferenceHolder[] }) {
  return createReferences(db, referenceHolders);
}
