import type { Db } from 'mongodb';
import type { Pager } from '../http/paging.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Dependencies } from './dependencies.js';
import { createDependencies, type JudgeNeeds } from './judge.js';
import type { DependencyNeeds } from './needs.js';
import { dependencyReferences } from './references.js';
import { createDependencyRoutes } from './routes.js';
import { createDependencyStore } from './store.js';
import { createSuggestionRoute, type SuggestionNeeds } from './suggestions/routes.js';

interface DependenciesNeeds
  extends Omit<JudgeNeeds, 'store'>,
    Omit<DependencyNeeds, 'store' | 'referenceLock'>,
    Omit<SuggestionNeeds, 'store'> {
  db: Db;
  pager: Pager;
}

/** The dependencies slice as other slices use it. */
export interface OpenDependencies extends OpenedSlice, Dependencies {}

/** Dependencies: what fails because a monitor is down notifies nobody. */
export const dependenciesSlice: Slice<'dependencies', DependenciesNeeds, OpenDependencies> = {
  name: 'dependencies',
  idPrefixes: ['dep'],
  auditActions: ['dependency.created', 'dependency.deleted'],
  open({ db, pager, ...rest }) {
    const store = createDependencyStore(db);
    const needs = { ...rest, store, referenceLock: createReferenceLock(db) };
    return {
      ...createDependencies(needs),
      routes: [createSuggestionRoute(needs), ...createDependencyRoutes(needs, pager)],
      referenceHolders: dependencyReferences(needs),
      ensureIndexes: store.ensureIndexes,
    };
  },
};
