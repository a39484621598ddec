import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { SiteCheck } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Since } from '../../components/time/time.tsx';
import { CheckMark } from './marks.tsx';
import { isInMotion } from './queries.ts';
import { texts } from './texts/texts.ts';

interface ChecksProps {
  siteId: string;
  checks: readonly SiteCheck[];
  /** Whether the person may change the site, and the plugin is there. */
  mayChange: boolean;
}

const ORDER = ['failing', 'passing', 'unknown'];

/** The ten checks, the worst first. */
export function Checks({ siteId, checks, mayChange }: ChecksProps) {
  const sorted = [...checks].sort((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
  return (
    <section className="panel">
      <h2>{texts.checks}</h2>
      <ul className="rows">
        {sorted.map((check) => (
          <li key={check.id} className="row site-check">
            <CheckMark status={check.status} />
            <div className="row-main">
              <strong>{texts.check[check.id]}</strong>
              <span className="site-evidence wrap">
                <bdi>{check.evidence}</bdi>
                {check.checked_at === null ? null : <Since at={check.checked_at} wrap={texts.ago} className="soft" />}
              </span>
              {check.outside === null || saysOutside(check) ? null : (
                <span className="site-evidence wrap soft">{texts.outside(check.outside.evidence)}</span>
              )}
              {check.fix === null ? null : <Fix fix={check.fix} />}
              {check.manual === null || check.status === 'passing' ? null : <Manual manual={check.manual} />}
            </div>
            {mayChange ? <Action siteId={siteId} check={check} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether the evidence is what was seen from outside, so that it need not be said twice. */
function saysOutside({ evidence, outside }: SiteCheck): boolean {
  return outside !== null && evidence !== outside.evidence && evidence.endsWith(outside.evidence);
}

function Fix({
  fix: { kind, plugin, status, error, note, before_plugins: isEarly },
}: {
  fix: NonNullable<SiteCheck['fix']>;
}) {
  return (
    <span className="site-evidence wrap" role="status">
      <span>
        {texts.kind[kind]}
        {plugin === null ? null : (
          <>
            {' '}
            · <bdi>{plugin}</bdi>
          </>
        )}
        : {texts.job[status]}
      </span>
      {(error ?? note) === null ? null : <bdi>{error ?? note}</bdi>}
      {isEarly ? <span className="soft">{texts.beforePlugins}</span> : null}
    </span>
  );
}

/** Why the site does not allow the fix, and what to paste instead. */
function Manual({ manual: { reason, snippet } }: { manual: NonNullable<SiteCheck['manual']> }) {
  return (
    <div className="site-manual">
      <span className="wrap">
        {texts.manual.refused} <bdi>{reason}</bdi>
      </span>
      {snippet === null ? null : (
        <details>
          <summary>{texts.manual.paste[snippet.server]}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre className="mono" tabIndex={0}>
            {snippet.text}
          </pre>
        </details>
      )}
    </div>
  );
}

function Action({ siteId, check }: { siteId: string; check: SiteCheck }) {
  const queries = useQueryClient();
  const isOpen = isInMotion({ status: 'connected', checks: [check] });
  const path = check.applied
    ? apiPath`/api/v1/wp/admin/${siteId}/undo/${check.id}`
    : apiPath`/api/v1/wp/admin/${siteId}/harden/${check.id}`;
  const act = useMutation({
    mutationFn: () => call('POST', path, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['site', siteId] }),
  });
  if (!check.fixable || (check.status === 'passing' && !check.applied)) return null;
  return (
    <>
      <Button
        variant={check.applied || check.manual !== null ? 'default' : 'filled'}
        loading={act.isPending || isOpen}
        onClick={() => act.mutate()}
      >
        {check.applied ? texts.one.undo : texts.one.harden}
        <span className="only-spoken"> {texts.check[check.id]}</span>
      </Button>
      <ActionProblem error={act.error} />
    </>
  );
}
