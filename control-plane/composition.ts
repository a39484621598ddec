import type { MemberAccess } from './accounts/member-access.js';
import type { Access } from './http/route.js';
import type { Quota } from './plans/quotas.js';
import type { ReferenceHolder } from './references/references.js';
import type { Backlog, Declarations, OpenedSlice, Slice } from './slice.js';
import { untilBuilt } from './storage/until-built.js';

/** The declarations of all slices, in their order. */
export type Declared = { [Name in keyof Declarations]-?: NonNullable<Declarations[Name]> };

/** All slices, opened. Nothing runs yet. */
export interface Product<Opened> extends Required<Pick<OpenedSlice, 'routes' | 'mounts' | 'authenticators'>> {
  /** The slices by name. */
  slices: Opened;
  /** Resolves when every slice can serve. */
  ready(): Promise<void>;
  /** Starts the background work. */
  start(): Promise<void>;
  /** Stops it, in the reverse order. */
  stop(): Promise<void>;
}

/**
 * A list of slices under construction. `Base` is what all of them can use, `Opened` the slices that were added, by
 * name: a slice's needs come from these, so a slice only ever needs slices above it. `quotas()`, `backlogs()`,
 * `referenceHolders()` and `memberAccess()` return those of all slices once all are opened.
 */
export interface Composition<Base, Opened> {
  add<const Name extends string, Needs, New extends OpenedSlice>(
    slice: Slice<Name, Needs, New>,
    needs: (from: Base & Opened & OfAllSlices) => NoInfer<Needs>,
  ): Composition<Base, Opened & Record<Name, New>>;
  /** Throws when two slices declare the same thing. */
  declared(): Declared;
  /** Opens the slices in their order, then creates the indexes of all of them at once. Throws for a route with a scope that no slice declares. */
  open(base: Base): Promise<Product<Opened>>;
  /** Opens the slices in their order and touches no database. Throws like `open`. */
  assemble(base: Base): Promise<Product<Opened>>;
}

/** What slices have together. */
interface OfAllSlices {
  declared: Declared;
  quotas(): readonly Quota[];
  backlogs(): readonly Backlog[];
  referenceHolders(): readonly ReferenceHolder[];
  memberAccess(): readonly MemberAccess[];
}

interface Entry {
  slice: Slice<string, unknown, OpenedSlice>;
  needs(from: unknown): unknown;
}

/** Returns a composition without slices. */
export function composition<Base>(): Composition<Base, unknown> {
  return withEntries<Base, unknown>([]);
}

function withEntries<Base, Opened>(entries: readonly Entry[]): Composition<Base, Opened> {
  const declared = () => merge(entries.map(({ slice }) => slice));
  return {
    add: (slice, needs) => withEntries([...entries, { slice, needs } as Entry]),
    declared,
    async open(base) {
      const product = await assemble(base);
      const opened = Object.values(product.slices as Record<string, OpenedSlice>);
      await Promise.all(opened.map((slice) => untilBuilt(async () => slice.ensureIndexes?.())));
      return product;
    },
    assemble,
  };

  async function assemble(base: Base): Promise<Product<Opened>> {
    const slices: Record<string, OpenedSlice> = {};
    const quotas = () => Object.values(slices).flatMap((slice) => slice.quotas ?? []);
    const backlogs = () => Object.values(slices).flatMap((slice) => slice.backlogs ?? []);
    const referenceHolders = () => Object.values(slices).flatMap((slice) => slice.referenceHolders ?? []);
    const memberAccess = () => Object.values(slices).flatMap((slice) => slice.memberAccess ?? []);
    const all = { quotas, backlogs, referenceHolders, memberAccess };
    const from: Record<string, unknown> = { ...base, declared: declared(), ...all };
    for (const { slice, needs } of entries) {
      if (slice.name in from) throw new Error(`the slice ${slice.name} has the name of something in the base`);
      const opened = await slice.open(needs(from));
      slices[slice.name] = opened;
      from[slice.name] = opened;
    }
    const product = productOf(Object.values(slices), slices as Opened);
    refuseUndeclaredAccess(product.routes, from['declared'] as Declared);
    refuseTwins(
      'quota',
      quotas().map(({ name }) => name),
    );
    return product;
  }
}

function productOf<Opened>(opened: readonly OpenedSlice[], slices: Opened): Product<Opened> {
  const jobs = opened.flatMap(({ jobs = [] }) => jobs);
  return {
    slices,
    routes: opened.flatMap(({ routes = [] }) => routes),
    mounts: opened.flatMap(({ mounts = [] }) => mounts),
    authenticators: [
      ...opened.flatMap(({ firstAuthenticators = [] }) => firstAuthenticators),
      ...opened.flatMap(({ authenticators = [] }) => authenticators),
    ],
    async ready() {
      for (const slice of opened) await slice.ready?.();
    },
    async start() {
      for (const job of jobs) await job.start();
    },
    async stop() {
      const errors: unknown[] = [];
      for (const job of [...jobs].reverse()) {
        // A job that fails to stop must not keep the others running.
        await (async () => job.stop())().catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 1) throw new AggregateError(errors, `${errors.length} jobs failed to stop`);
      if (errors.length > 0) throw errors[0];
    },
  };
}

function merge(slices: readonly (Declarations & { name: string })[]): Declared {
  const all = <Key extends keyof Declarations>(key: Key) =>
    slices.flatMap((slice): unknown[] => [...(slice[key] ?? [])]);
  const declared = {
    scopes: all('scopes'),
    auditActions: all('auditActions'),
    idPrefixes: all('idPrefixes'),
    incidentKinds: all('incidentKinds'),
    ruleTypes: all('ruleTypes'),
  } as Declared;
  refuseTwins(
    'slice',
    slices.map(({ name }) => name),
  );
  refuseTwins('scope', declared.scopes);
  refuseTwins('audit action', declared.auditActions);
  refuseTwins('id prefix', declared.idPrefixes);
  return declared;
}

/** A route with a misspelt scope would refuse every limited key, and admit people by the end of the word alone. */
function refuseUndeclaredAccess(routes: Product<unknown>['routes'], { scopes }: Declared): void {
  const known = new Set<Access>([
    ...scopes,
    'any',
    'session',
    'person',
    'view',
    'self',
    'full',
    'owner',
    'owner_session',
    'operator',
    'public',
  ]);
  const route = routes.find(({ access }) => !known.has(access));
  if (route !== undefined)
    throw new Error(`no slice declares the scope ${route.access} of ${route.method} ${route.path}`);
}

function refuseTwins(what: string, names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new Error(`two slices declare the ${what} ${twin}`);
}
