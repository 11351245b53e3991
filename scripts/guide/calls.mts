import { callTransitions } from '../../services/telephony/dist/books/calls/call-transitions.rules.js';

/** How a call begins: its first status, and the events that report it. */
const creations: readonly (readonly [what: string, to: string, ...events: string[]])[] = [
  ['outbound, allowed by policy', 'queued', 'call.created', 'call.queued'],
  ['outbound, scheduled', 'scheduled', 'call.created'],
  ['outbound, blocked by policy', 'policy_blocked', 'call.created'],
  ['outbound, waits for review', 'needs_review', 'call.created'],
  ['incoming, to be answered', 'dialing', 'call.created'],
  ['test call, to be connected', 'dialing', 'call.created'],
  ['incoming, refused', 'failed', 'call.created', 'call.failed'],
];

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;

/** Generates docs/calls.md: how a call is created and all its state transitions, from the table that the service uses. */
export function callsPage(): string {
  return [
    '# The life of a call',
    '',
    'Generated from the table of transitions that telephony uses.',
    '',
    'Every row is one transition and one event, except if there is no event type for it. A report that is not in the table (late, repeated or wrong) is answered and changes',
    'nothing. Each event has the next `resource_seq` of its call, without gaps.',
    '',
    '## How a call begins',
    '',
    row('what', 'status', 'events'),
    row('---', '---', '---'),
    ...creations.map(([what, to, ...events]) => row(what, code(to), events.map(code).join(', '))),
    '',
    '## How a call continues',
    '',
    row('from', 'on', 'to', 'event'),
    row('---', '---', '---', '---'),
    ...callTransitions.map(({ from, on, to, event }) =>
      row(...[from, on, to].map(code), event === null ? 'none' : code(event)),
    ),
    '',
    '- A scheduled call (`scheduled_at`) is checked against policy, given its configuration, queued and charged when it is due ([ADR 52](adr/0052-booked-calls-are-judged-when-due.md)).',
    '- Only a call that was not answered can fail: an answered call always ends and completes, whatever went wrong.',
    '- `policy_blocked`, `failed` and `canceled` are final; a `completed` call may still get its transcript, recording, translation and extraction, each once.',
    '- `call.recording.ready` follows only if the call is recorded; the recording of a simulated call has the format `simulated`.',
    '',
  ].join('\n');
}
