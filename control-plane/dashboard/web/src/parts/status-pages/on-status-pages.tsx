import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { StatusPage } from '../../api/types.ts';
import { statusPagesQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

interface OnStatusPagesProps {
  of: 'monitor' | 'server';
  id: string;
  tags: readonly string[];
}

/** Says on the page of a monitor or server which status pages show it; nothing without any. */
export function OnStatusPages(target: OnStatusPagesProps) {
  const pages = (useQuery(statusPagesQuery).data?.rows ?? []).filter((page) => shows(page, target));
  if (pages.length === 0) return null;
  return (
    <p className="soft wrap status-shown-on">
      {texts.shownOn(pages.length)}{' '}
      {pages.map(({ id, title }, index) => (
        <Fragment key={id}>
          {index === 0 ? null : ', '}
          <Link to={`/status-pages/${id}`}>
            <bdi>{title}</bdi>
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

function shows({ groups }: StatusPage, { of, id, tags }: OnStatusPagesProps): boolean {
  const components = groups.flatMap((group) => group.components);
  return components.some(({ tag, ...component }) => component[`${of}_id`] === id || tags.some((one) => one === tag));
}
