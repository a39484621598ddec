/** Limits how many do something at once. The others wait in the order of their arrival. */
export interface Places {
  /** Resolves to the function that gives the place back; null when `signal` is aborted before there is one. */
  take(signal: AbortSignal): Promise<(() => void) | null>;
}

export function createPlaces(placesMax: number): Places {
  const waiting = new Set<() => void>();
  let taken = 0;

  function leave(): void {
    const [next] = waiting;
    // The next one takes the place over.
    if (next === undefined) taken -= 1;
    else next();
  }

  return {
    async take(signal) {
      if (signal.aborted) return null;
      if (taken < placesMax) {
        taken += 1;
        return leave;
      }
      return new Promise((resolve) => {
        const admit = () => {
          waiting.delete(admit);
          signal.removeEventListener('abort', cancel);
          resolve(leave);
        };
        const cancel = () => {
          waiting.delete(admit);
          resolve(null);
        };
        waiting.add(admit);
        signal.addEventListener('abort', cancel, { once: true });
      });
    },
  };
}
