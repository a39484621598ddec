import type { RuleIncidentHead } from '../../incidents/incidents.js';
import type { RuleTypeHandler } from '../alert-rules.js';
import type { RuleTypes } from '../rule-types.js';

/** The handlers that slices have registered. */
export interface Handlers {
  all(): readonly RuleTypeHandler[];
  register(handler: RuleTypeHandler): void;
  /** Throws for a type without a handler: its slice was not opened. */
  of(type: string): RuleTypeHandler;
  /** Throws when a declared type has no handler. */
  requireAll(): void;
}

export function createHandlers(types: RuleTypes): Handlers {
  const handlers: RuleTypeHandler[] = [];

  function of(type: string): RuleTypeHandler {
    const handler = handlers.find((one) => one.types.includes(type));
    if (handler === undefined) throw new Error(`no slice has registered a handler for alert rules of type ${type}`);
    return handler;
  }

  return {
    all: () => handlers,
    register(handler) {
      const twin = handler.types.find((type) => handlers.some(({ types: known }) => known.includes(type)));
      if (twin !== undefined) throw new Error(`two slices have registered a handler for alert rules of type ${twin}`);
      handlers.push(handler);
    },
    of,
    requireAll() {
      for (const { type } of types.all) of(type);
    },
  };
}

/** Returns the incidents whose rules are of the handler's types. */
export function incidentsOf(handler: RuleTypeHandler, incidents: readonly RuleIncidentHead[]): RuleIncidentHead[] {
  return incidents.filter(({ decision }) => decision !== null && handler.types.includes(decision.rule.type));
}
