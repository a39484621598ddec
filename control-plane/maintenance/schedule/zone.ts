/** A time on the clock of a time zone, as milliseconds since the Unix epoch of the same time in UTC. */
export type LocalMs = number;

/** Converts between instants and times on the clock of one time zone. */
export interface Zone {
  toLocal(instantMs: number): LocalMs;
  /**
   * A time that occurs twice, when clocks are set back, means the first one. A time that clocks skip, when they are set
   * forward, means as much later as they skip: 02:30 means 03:30. Both are as in RFC 5545, section 3.3.5.
   */
  toInstant(localMs: LocalMs): number;
}

const DAY_MS = 86_400_000;

/** Throws a RangeError if there is no such time zone. */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });

  function toLocal(instantMs: number): LocalMs {
    const fields: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instantMs)) fields[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** The offset of a day on which it does not change, and the days next to it; null where it does. */
  let known: { day: number; offsetMs: number | null } | null = null;
  function steadyOffset(day: number): number | null {
    if (known?.day === day) return known.offsetMs;
    const [before, after] = [offsetAt((day - 1) * DAY_MS), offsetAt((day + 2) * DAY_MS)];
    known = { day, offsetMs: before === after ? before : null };
    return known.offsetMs;
  }

  const offsetAt = (instantMs: number) => toLocal(instantMs) - instantMs;

  return {
    toLocal,
    toInstant(localMs) {
      const steady = steadyOffset(Math.floor(localMs / DAY_MS));
      if (steady !== null) return localMs - steady;
      const [before, after] = [offsetAt(localMs - DAY_MS), offsetAt(localMs + DAY_MS)];
      const candidates = [localMs - before, localMs - after].sort((a, b) => a - b);
      return candidates.find((instantMs) => toLocal(instantMs) === localMs) ?? localMs - before;
    },
  };
}
