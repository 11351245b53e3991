import { accountCarriers, blockerRepairs, problemMeanings, reasonDetails } from '@parley/contract';

const rows = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);

/** docs/reference/call-codes.md. */
export function callCodesPage(): string {
  return [
    '# Codes of calls and agents',
    '',
    'These lists are closed: no other code occurs, and a report with another one is 400.',
    '',
    '## reason_detail',
    '',
    `Also \`sip_\` with the response code of SIP, and ${accountCarriers.map((name) => `\`${name}_\``).join(', ')} with the carrier's own code.`,
    '',
    '| Code | Meaning |',
    '| --- | --- |',
    ...rows(reasonDetails),
    '',
    '## problems',
    '',
    'Also the codes of blockers, if a call cannot be conducted.',
    '',
    '| Code | Meaning |',
    '| --- | --- |',
    ...rows(problemMeanings),
    '',
    '## Blockers',
    '',
    '| Code | Repair |',
    '| --- | --- |',
    ...rows(blockerRepairs),
    '',
  ].join('\n');
}
