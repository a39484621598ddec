/** Sent in requests, and must not be in any entry. */
export const SECRET = 'hunter2-correct-horse';

/** A request that changes something, and the entries that it writes. */
export interface ChangeStep {
  route: string;
  /** Returns the parameter in the path. */
  param?: (scene: ChangeScene) => string;
  body?: (scene: ChangeScene) => unknown;
  /** The actions of its entries, in order; empty for a route that stores no change. */
  actions: string[];
  /** Stores the id of the created resource under this name. */
  makes?: string;
  /** Fields of `changes` in the metadata of the first entry. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  before?: (scene: ChangeScene) => Promise<void>;
  query?: string;
}

/** The resources that earlier steps have created, and those that no route creates. */
export interface ChangeScene {
  /** The id of the resource of this name. */
  id(name: string): string;
  made(name: string, id: string): void;
  /** Stores an incident under this name. */
  incident(name: string): Promise<void>;
  /** Stores a server of this host name, with its agent, under the name `server`. */
  server(hostName: string): Promise<void>;
  node(kind: 'probe' | 'agent', id: string): Promise<void>;
}
