import { useQuery } from '@tanstack/react-query';
import type { BlacklistListing } from '../../../api/types.ts';
import { ExternalLink } from '../../../components/external-link.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time/time.tsx';
import { meaningsText } from '../list-words.ts';
import { providersQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

/** The confirmed listings, and how to get off each list. */
export function Listings({ listings }: { listings: readonly BlacklistListing[] }) {
  if (listings.length === 0) return null;
  const isAlerted = listings.some(({ policy }) => !policy);
  return (
    <section className="panel">
      <h2>{texts.listings.title}</h2>
      {isAlerted ? (
        <ol className="way-out">
          {texts.listings.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : null}
      <ul className="rows">
        {listings.map((listing) => (
          <Listing key={listing.provider} listing={listing} />
        ))}
      </ul>
    </section>
  );
}

function Listing({ listing }: { listing: BlacklistListing }) {
  const { provider, name, policy, reason, meanings, addresses, listed_since, delist_url } = listing;
  const website = useQuery(providersQuery).data?.find(({ id }) => id === provider)?.website;
  const words = texts.listings;
  return (
    <li className="listing">
      <h3>
        <Mark as={policy ? 'info' : 'down'} word={name} quiet={false} />{' '}
        <span className="soft">
          {words.since('')}
          <Time at={listed_since} />
        </span>
      </h3>
      {policy ? <p>{words.policy}</p> : null}
      <dl className="facts">
        <dt>{words.why}</dt>
        <dd>
          {reason === null ? (
            words.noReason
          ) : (
            <bdi>
              <ExternalLink url={reason}>{reason}</ExternalLink>
            </bdi>
          )}
        </dd>
        {meanings.length === 0 ? null : (
          <>
            <dt>{words.meanings}</dt>
            <dd>{meaningsText(meanings)}</dd>
          </>
        )}
        {addresses.length === 0 ? null : (
          <>
            <dt>{words.addresses}</dt>
            <dd>{addresses.join(', ')}</dd>
          </>
        )}
      </dl>
      <p className="listing-links">
        {delist_url === null || policy ? null : <ExternalLink url={delist_url}>{words.delist(name)}</ExternalLink>}
        {website === undefined ? null : <ExternalLink url={website}>{words.about(name)}</ExternalLink>}
      </p>
    </li>
  );
}
