import { useQuery } from '@tanstack/react-query';
import { tagsOf } from '../../../../components/form/tags.ts';
import { tagsInUse } from '../../list/listed.ts';
import { summaryQuery } from '../../list/queries.ts';
import { texts } from '../texts/texts.ts';
import { withTag } from './order.ts';

/** More would be a list to search, and typing is faster then. */
const TAGS_SHOWN_MAX = 12;

interface TagChoicesProps {
  /** Tags, separated by commas. */
  text: string;
  type(text: string): void;
}

/** The tags that most monitors have, to be chosen instead of typed. */
export function TagChoices({ text, type }: TagChoicesProps) {
  const tags = tagsInUse(useQuery(summaryQuery).data ?? []).slice(0, TAGS_SHOWN_MAX);
  const chosen = tagsOf(text);
  if (tags.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form has no other group of fields.
    <div className="tag-choices" role="group" aria-label={texts.form.tagsInUse}>
      <span className="soft">{texts.form.tagsInUse}</span>
      {tags.map((tag) => (
        <button
          key={tag}
          {...{ type: 'button', className: 'tag-choice', 'aria-pressed': chosen.includes(tag) }}
          onClick={() => type(withTag(text, tag, !chosen.includes(tag)))}
        >
          <bdi className="cut">{tag}</bdi>
        </button>
      ))}
    </div>
  );
}
