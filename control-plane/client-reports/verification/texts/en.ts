/** The texts of the pages. Arguments and results are HTML where a name ends with `Html`. */
export const en = {
  ask: {
    title: 'Verify a report',
    text: 'Enter the code on the last page of a report. You then see which report Picket made with this code.',
  },
  found: {
    title: 'Picket made this report',
    text: 'A report with this code exists. Compare the details with those on its cover.',
    report: 'Report',
    client: 'Prepared for',
    period: 'Period',
    made: 'Made on',
    sha256: 'SHA-256 of the PDF file',
    compare: 'Is your file unchanged?',
    how: 'Compute the SHA-256 of your file and compare it with the one above. If they are equal, the file is exactly the one that Picket made.',
    another: 'Verify another report',
  },
  unknown: {
    title: 'There is no report with this code',
    text: 'The code was not entered correctly, Picket did not make the report, or the report was deleted. Compare the code with the last page of the report.',
  },
  tooMany: {
    title: 'Too many wrong codes',
    text: 'Your network has sent too many wrong codes. Try again in a minute.',
  },
  unavailable: {
    title: 'Picket is not available',
    text: 'Its database does not answer. Load this page again in a few seconds.',
  },
  code: 'Code',
  codeHelp: '16 letters and digits, such as 7K2M-9XQ4-T0BD-51HW',
  verify: 'Verify',
  systems: { linux: 'Linux', mac: 'macOS', windows: 'Windows' },
};
