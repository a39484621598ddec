import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/app/texts.ts';
import { editOf, useForgotten } from '../form/use-draft.ts';
import { OtherWorkspaces } from './other-workspaces.tsx';
import { PageHead } from './page-head.tsx';

interface GoneProps {
  /** What does not exist, and why that may be. */
  text: string;
  /** The list that the object would be in. */
  to:
    | '/monitors'
    | '/incidents'
    | '/servers'
    | '/wordpress'
    | '/blacklists'
    | '/email-domains'
    | '/scans'
    | '/backup-jobs'
    | '/settings/channels'
    | '/maintenance'
    | '/reports/schedules'
    | '/status-pages'
    | '/settings/alert-rules';
  /** The name of that list, on the button. */
  label: string;
  /** The path in the API of what people edit: what was typed into its form is forgotten. */
  edited?: string;
}

/** In place of an object that does not exist: a sentence, and the ways to the list and to other workspaces. */
export function Gone({ text, to, label, edited }: GoneProps) {
  useForgotten(edited === undefined ? null : editOf(edited));
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{text}</p>
        <div className="page-actions">
          <Button component={Link} to={to}>
            {label}
          </Button>
        </div>
        <OtherWorkspaces />
      </section>
    </>
  );
}
