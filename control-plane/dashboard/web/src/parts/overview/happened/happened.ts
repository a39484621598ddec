import type { TimelineLine } from '../../../api/types.ts';
import { list } from '../../../texts/format.ts';

/** What a sentence about an action can say. */
export interface Facts {
  /** The person, or Picket itself. */
  who: string;
  /** What the entry adds: the operation of a bulk change, a role, a plan, a domain. Empty for none. */
  operation: string;
  role: string;
  from: string;
  to: string;
  change: string;
  count: number;
}

/** What makes sentences of the entries of the timeline: whole ones, and the words that the others consist of. */
export interface HappenedWords {
  picket: string;
  /** By type without `audit.`, such as `team.member_invited`. */
  sentences: Readonly<Record<string, (facts: Facts) => string>>;
  /** By the part before the point: `the monitor`. */
  objects: Readonly<Record<string, string>>;
  /** By the part after the point: `created`. */
  verbs: Readonly<Record<string, string>>;
  act(who: string, verb: string, object: string): string;
  /** By the name of a field in the API. */
  fields: Readonly<Record<string, string>>;
  otherFields(count: number): string;
  /** Objects that people change many of, as the object of a sentence: `32 monitors`. */
  many: Readonly<Record<string, (count: number) => string>>;
  /** A sentence about something that was done several times, or at least as often. */
  often(sentence: string, times: number, hasMore: boolean): string;
  /** `32 monitors`, of which there may be more. */
  atLeast(objects: string): string;
  /** Heading of what people changed, below what was wrong. */
  changes: string;
  outages: {
    many(isOutage: boolean, count: number, last: string): string;
    over(lasted: string): string;
    resolvedByPerson(lasted: string): string;
    lasting(since: string): string;
    /** Of monitors that went down together. */
    together: {
      over(lasted: string): string;
      /** All of them. */
      resolvedByPerson(lasted: string): string;
      someByPerson(count: number): string;
      lasting(since: string): string;
      left(count: number): string;
    };
  };
}

type Line = Pick<TimelineLine, 'type' | 'message' | 'actor' | 'metadata'>;

/** Returns what happened as a sentence; what the API said if there are no words for it. Pure. */
export function happened({ type, message, actor, metadata }: Line, words: HappenedWords): string {
  const action = type.replace(/^audit\./, '');
  const facts = factsOf(actor === 'system' ? words.picket : actor, metadata);
  const whole = words.sentences[action];
  if (whole !== undefined) return whole(facts);
  const [kind = '', verb = ''] = action.split('.');
  const [object, done] = [words.objects[kind], words.verbs[verb]];
  if (!type.startsWith('audit.') || object === undefined || done === undefined) return message;
  const fields = fieldsOf(metadata, words);
  return `${words.act(facts.who, done, object)}${fields === '' ? '' : `: ${fields}`}.`;
}

/** Returns what somebody did to several objects: `Ann changed 32 monitors.` or, with more, `at least 32`. Pure. */
export function repeated(line: Line, objects: number, hasMore: boolean, words: HappenedWords): string {
  const [kind = '', verb = ''] = line.type.replace(/^audit\./, '').split('.');
  const [many, done] = [words.many[kind], words.verbs[verb]];
  if (many === undefined || done === undefined) return words.often(happened(line, words), objects, hasMore);
  const object = hasMore ? words.atLeast(many(objects)) : many(objects);
  return `${words.act(line.actor === 'system' ? words.picket : line.actor, done, object)}.`;
}

function factsOf(who: string, metadata: Line['metadata']): Facts {
  const text = (name: string) => (typeof metadata[name] === 'string' ? metadata[name] : '');
  const count = metadata['monitors'];
  return {
    ...{ who, operation: text('operation'), role: text('role'), change: text('change') },
    ...{ from: text('from'), to: text('to'), count: typeof count === 'number' ? count : 0 },
  };
}

/** Returns the changed fields in words. */
function fieldsOf({ changes }: Line['metadata'], { fields, otherFields }: HappenedWords): string {
  const names = Object.keys(Object(changes));
  const known = [...new Set(names.flatMap((name) => fields[name] ?? []))];
  const others = names.filter((name) => fields[name] === undefined).length;
  return list(others === 0 ? known : [...known, otherFields(others)]);
}
