/** Returns the condition that a text contains `part`, in upper or lower case. Nothing in `part` is special. */
export function containing(part: string): { $regex: string; $options: 'i' } {
  return { $regex: part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
}
