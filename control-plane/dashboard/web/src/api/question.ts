/** A question to the person that waits for the answer. */
interface Question {
  answer: Promise<boolean>;
  settle(isYes: boolean): void;
}

/** One question of a page, for which requests wait. */
interface Questions {
  /** Resolves to the answer. Requests that ask at the same time share one question. */
  ask(): Promise<boolean>;
  /** For `useSyncExternalStore`: the question that waits, null without one. */
  subscribe(listener: () => void): () => void;
  current(): Question | null;
}

export function createQuestions(): Questions {
  let open: Question | null = null;
  const listeners = new Set<() => void>();
  const show = (question: Question | null) => {
    open = question;
    for (const listener of listeners) listener();
  };
  return {
    ask() {
      if (open !== null) return open.answer;
      let resolve: (isYes: boolean) => void = () => undefined;
      const answer = new Promise<boolean>((settle) => {
        resolve = settle;
      });
      show({
        answer,
        settle(isYes) {
          show(null);
          resolve(isYes);
        },
      });
      return answer;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => open,
  };
}
