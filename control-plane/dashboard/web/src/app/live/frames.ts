/** What a server-sent event is, and a change of the position without one. */
export interface Frame {
  /** null for a frame that only says that the stream works, or where it is. */
  event: string | null;
  data: unknown;
  /** The position behind it; null if it has none. */
  id: string | null;
}

/** Events are small: a stream that sends this much without the end of a frame is no event stream. */
const FRAME_CHARS_MAX = 1_000_000;

/**
 * Returns the function that makes frames of the text of an event stream, as it comes in any pieces. Throws on text that is
 * none (https://html.spec.whatwg.org/multipage/server-sent-events.html). The browser's own EventSource hides the status of
 * a refusal, and the heartbeats that show whether a connection is still there.
 */
export function createFrameReader(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    if (rest.length > FRAME_CHARS_MAX) throw new Error('this is no event stream');
    return parts.map(frameOf);
  };
}

function frameOf(text: string): Frame {
  const frame: Frame = { event: null, data: null, id: null };
  for (const line of text.split('\n')) {
    const [, field, value = ''] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') frame.event = value;
    if (field === 'data') frame.data = JSON.parse(value);
    if (field === 'id') frame.id = value;
  }
  return frame;
}
