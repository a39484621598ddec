/** Blocks its callers until the test opens it. */
export interface Gate {
  /** Resolves when the gate is open. */
  pass(): Promise<void>;
  /** Resolves when the first caller waits at the gate. */
  reached: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    pass() {
      reach();
      return opened;
    },
    reached,
    open: () => open(),
  };
}
