import { Skeleton } from '@mantine/core';

const LINES = ['60%', '85%', '70%', '78%', '66%'];

/** The shape of a page whose content is on its way. It appears after 300 ms, so that fast answers do not flicker. */
export function PageSkeleton() {
  return (
    <div className="late" aria-hidden="true">
      <Skeleton height={28} width="30%" mb={12} />
      <Skeleton height={18} width="50%" mb={24} />
      <section className="panel">
        {LINES.map((width) => (
          <Skeleton key={width} height={16} width={width} my={14} />
        ))}
      </section>
    </div>
  );
}
