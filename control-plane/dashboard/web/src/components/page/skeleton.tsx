import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { texts } from '../../texts/app/texts.ts';

const LINES = ['60%', '85%', '70%', '78%', '66%'];

/** After this long, the shape alone looks like a page that will never come. */
const SLOW_MS = 3_000;

/** A page whose content is on its way: its shape, and a heading for those who do not see it. */
export function PageSkeleton() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <h1 className="only-spoken">{texts.frame.loading}</h1>
      <p role="status" className={isSlow ? 'note' : 'only-spoken'}>
        {isSlow ? texts.frame.slow : ''}
      </p>
      <PartSkeleton />
    </>
  );
}

/** The shape of what is on its way. It appears after 300 ms, so that fast answers do not flicker. */
export function PartSkeleton() {
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
