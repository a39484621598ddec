/** Says that another bulk change comes first. It is there from the start, so that screen readers watch it. */
export function Waiting({ isWaiting, text }: { isWaiting: boolean; text: string }) {
  return (
    <p role="status" className={isWaiting ? 'note' : 'only-spoken'}>
      {isWaiting ? text : ''}
    </p>
  );
}
