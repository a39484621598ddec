/** Returns a duration as it stands after `vor`, `in`, `nach` and `seit`: `3 Tagen`. Its other units have one form. Pure. */
export const dative = (lasted: string): string => lasted.replace(/ Tage\b/, ' Tagen');

/** Returns how often something happens: `alle 5 Min.`, `jeden Tag`. Nobody says `alle 1 Tag`. Pure. */
export const every = (interval: string): string => (interval === '1 Tag' ? 'jeden Tag' : `alle ${interval}`);
