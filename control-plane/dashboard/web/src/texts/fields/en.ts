import { number, plural } from '../format.ts';
import { sentence } from '../sentence.ts';
import type { FieldSentences } from './facts.ts';

const characters = (count: number) => plural(count, { one: 'character', other: 'characters' });
const entries = (count: number) => plural(count, { one: 'entry', other: 'entries' });

const TYPES: Readonly<Record<string, string>> = {
  ...{ integer: 'a whole number', number: 'a number', string: 'a text', boolean: 'yes or no' },
  ...{ array: 'a list', object: 'several values' },
};
const FORMATS: Readonly<Record<string, string>> = { email: 'an e-mail address', uri: 'a URL' };

/** What can be wrong with a field, for the person who filled it in. */
export const sentences: FieldSentences = {
  invalid: ({ message }) => sentence(message),
  required: () => 'Fill in this field.',
  empty: () => 'Fill in this field.',
  unknown_field: () => 'Picket does not know this field.',
  one_of: ({ values }) => `Choose one of these: ${values.join(', ')}.`,
  type: ({ types }) => `Enter ${types.map((type) => TYPES[type] ?? type).join(' or ')}.`,
  format: ({ example }) =>
    example === ''
      ? 'This does not have the right form.'
      : `This does not have the right form. For example: ${example}`,
  named_format: ({ format }) => `Enter ${FORMATS[format] ?? format}.`,
  id: ({ prefix }) => `Enter an id that begins with ${prefix}_.`,
  min: ({ min }) => `Enter at least ${number(min)}.`,
  max: ({ max }) => `Enter at most ${number(max)}.`,
  above: ({ min }) => `Enter more than ${number(min)}.`,
  below: ({ max }) => `Enter less than ${number(max)}.`,
  multiple_of: ({ of }) => `Enter a multiple of ${number(of)}.`,
  min_length: ({ min }) => `Enter at least ${characters(min)}.`,
  max_length: ({ max }) => `Enter at most ${characters(max)}.`,
  min_items: ({ min }) => `At least ${entries(min)}.`,
  max_items: ({ max }) => `At most ${entries(max)}.`,
  timestamp: () => 'Enter a date with a time.',
  order: () => 'The beginning must be before the end.',
  past: () => 'Choose a time in the future.',
  future: () => 'Choose a time that is not in the future.',
  controls: () => 'Remove line breaks and invisible characters.',
  spaces: () => 'Remove spaces, backslashes and invisible characters.',
  duplicate: () => 'This is here twice. Remove one.',
  too_large: () => 'This is too much at once.',
  other_type: () => 'This does not belong to this type of check.',
  web_address: () => 'Enter a whole URL with http:// or https://, without a user name or password.',
  host_and_port: () => 'Enter a host and a port, such as db.example:5432. Put an IPv6 address in brackets.',
  host: () => 'Enter a host name or an address, such as db.example.',
  port: () => 'Enter a port from 1 to 65535.',
  private_address: () => 'This is a private or reserved address, which Picket does not contact.',
  user_info: () => 'Remove the user name and password: everybody who is notified would see them.',
  public_target: () => 'Enter a single public address or a domain, such as example.com.',
  forward_target: () => 'Enter the address of the receiver, such as logs.example:6514, or https://logs.example/in.',
  unknown_location: () => 'Picket has no such location.',
  unknown_channel: () => 'This channel does not exist any more.',
  more_than_locations: ({ max }) => `At most ${number(max)}: the monitor has no more locations.`,
  header_name: () => 'This is no name of a header: use letters, digits and dashes.',
  header_of_probe: () => 'Picket sets this header itself. Remove it.',
  needs_body: () => 'With the method HEAD there is no response to search. Choose another method, or leave this empty.',
  unknown_metric: () => 'Servers have no such metric.',
  weak_password: () =>
    'Choose a stronger password: at least 12 characters, not common, without rows or repetitions, and not made from your address or the name of your workspace.',
  wrong: () => 'This is wrong. Check it and enter it again.',
  ended_link: () => 'This link is not valid any more. Ask for a new one.',
  same_password: () => 'Choose another password than the current one.',
  needs_field: ({ all }) => `This works only together with ${all['field']}.`,
  not_with: ({ all }) => `This does not work together with ${all['field']}.`,
  not_of_operation: () => 'This does not belong to this action.',
  too_many: ({ max }) => `This concerns more than ${number(max)}. Narrow what you select.`,
  issuer: ({ all }) => `This provider cannot be used: ${all['reason']}.`,
  needs_openid: () => 'The scope openid must be among them.',
  maps_to_owner: () => 'The provider gives the role of an owner only if you allow that explicitly.',
  needs_break_glass: () => 'Choose the owner who can log in when the provider is down.',
  break_glass: () => 'Choose an owner who has a password and whose account is not about to be deleted.',
  send_again: () => 'Enter this again, because it would go to another address than before.',
  certificate: () => 'Enter certificates in PEM form, without a private key.',
  name_of_workspace: () => 'Enter the name of the workspace exactly.',
  ambiguous_name: () => 'Several monitors have this name, and none of them this address. Rename one.',
  plan_limit: ({ message }) => sentence(message),
  changed: () => 'Somebody has changed this since.',
  deleted: () => 'Somebody has deleted this since.',
  same_change: () => 'Somebody has made the same change already.',
  exists: () => 'A monitor with this id exists.',
  secrets_lost: () => 'The stored secrets cannot be decrypted.',
  reduced: ({ all }) => `Picket allows at most ${all['to']} and imports that instead of ${all['from']}.`,
  first_only: ({ all }) => `Only the first ${all['max']} of ${all['count']} were imported.`,
  one_status: ({ values, all }) =>
    `Picket expects one status and imports ${all['to']} instead of ${values.join(', ')}.`,
  unsupported: ({ message }) => `This monitor ${message}.`,
  in_use: () => 'This is still in use, such as in a maintenance window or on a status page.',
  channels_gone: () => 'This is back without the channels that were deleted in the meantime.',
  notifies_nobody: () => 'This is back, but notifies nobody: its channels were deleted in the meantime.',
  not_written: () => 'Picket could not change this. The log of the control plane says why.',
};
