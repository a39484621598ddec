import type { DeliveryFacts } from './facts.ts';

const receiver = (where: string): string => (where === '' ? 'the receiver' : where);

/** Why a message did not reach its receiver. Each is the end of a sentence. */
export const sentences = {
  redirect: ({ said }: DeliveryFacts) => `the receiver redirects to another address (status ${said})`,
  answer: ({ said }: DeliveryFacts) => said,
  unconfirmed: (_facts: DeliveryFacts) => 'no owner of the workspace has confirmed their e-mail address',
  madeUnconfirmed: (_facts: DeliveryFacts) =>
    'it was created before an owner confirmed their e-mail address, maybe by somebody else',
  noMailServer: (_facts: DeliveryFacts) => 'this installation has no mail server (PICKET_SMTP_URL)',
  byPerson: (_facts: DeliveryFacts) => 'turned off by a person',
  notConfirmed: ({ said }: DeliveryFacts) => `not confirmed by ${said}`,
  refusedFor: ({ said }: DeliveryFacts) => `the mail server refused ${said}`,
  url: ({ said }: DeliveryFacts) => said,
  blocked: ({ where }: DeliveryFacts) =>
    `${where === '' ? 'the target' : where} points to an address that this installation does not allow`,
  mailServerBusy: (_facts: DeliveryFacts) => 'the mail server was busy with other e-mails',
  mailServerSlow: (_facts: DeliveryFacts) => 'the mail server took too long',
  mailLogin: (_facts: DeliveryFacts) => 'the mail server does not accept the name and password of this installation',
  recipients: ({ said }: DeliveryFacts) => `the mail server refused the addresses: ${said}`,
  refused: ({ where }: DeliveryFacts) => `${receiver(where)} refused the connection`,
  unreachable: ({ where }: DeliveryFacts) => `there is no way to ${receiver(where)}`,
  name: ({ where }: DeliveryFacts) =>
    where === '' ? 'the name of the receiver could not be resolved' : `the name “${where}” could not be resolved`,
  notAccepted: ({ where }: DeliveryFacts) => `${receiver(where)} did not accept the connection in time`,
  slow: ({ time }: DeliveryFacts) =>
    `the receiver did not answer completely ${time === '' ? 'in time' : `within ${time}`}`,
  reset: (_facts: DeliveryFacts) => 'the receiver closed the connection before it had answered',
  expired: (_facts: DeliveryFacts) => 'the certificate of the receiver has expired',
  otherName: (_facts: DeliveryFacts) => 'the certificate of the receiver is for another name',
  untrusted: (_facts: DeliveryFacts) => 'the certificate of the receiver is not trusted',
  noTls: (_facts: DeliveryFacts) => 'the receiver does not use TLS on this port',
  tls: (_facts: DeliveryFacts) => 'the encrypted connection to the receiver failed',
  protocol: (_facts: DeliveryFacts) => 'the answer of the receiver is not valid HTTP',
  internal: ({ said }: DeliveryFacts) => `Picket itself failed: ${said}`,
};
