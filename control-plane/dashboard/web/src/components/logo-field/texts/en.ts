/** The texts of the choice of a logo. */
export const en = {
  label: 'Logo',
  help: 'A PNG or JPEG of at most 256 KiB and 2,000,000 pixels.',
  tooLarge: 'The file is larger than 256 KiB. Choose a smaller one.',
  unreadable: 'The browser cannot read this file. Choose another one.',
  chosen: 'The chosen logo',
  present: 'The present logo',
  remove: 'Remove the logo',
};
