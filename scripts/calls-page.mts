import { callCreations, callTransitions } from '../services/telephony/dist/calls/call-transitions.rules.js';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;

/** Generates docs/calls.md: how a call is created and all its state transitions, from the table that the service uses. */
export function callsPage(): string {
  return [
    '# The life of a call',
    '',
    'Written by `npm run documents` from `services/telephony/src/calls/call-transitions.rules.ts`; a test refuses a difference.',
    '',
    'Every row is one transition and one event, except where the interface has no event for it. What is not in the table changes nothing: late, repeated and wrong reports are',
    'answered and leave no trace. Each event carries the next `resource_seq` of its call, without a gap.',
    '',
    '## How a call begins',
    '',
    row('what', 'status', 'events'),
    row('---', '---', '---'),
    ...callCreations.map(({ what, to, events }) => row(what, code(to), events.map(code).join(', '))),
    '',
    '## How it goes on',
    '',
    row('from', 'on', 'to', 'event'),
    row('---', '---', '---', '---'),
    ...callTransitions.map(({ from, on, to, event }) =>
      row(...[from, on, to].map(code), event === null ? 'none' : code(event)),
    ),
    '',
    '- A scheduled call (`scheduled_at`) is checked against policy, pinned to its configuration, queued and paid for when it is due ([ADR 52](adr/0052-booked-calls-are-judged-when-due.md)).',
    '- A call fails only before it was answered: an answered one always ends and completes, whatever went wrong.',
    '- `policy_blocked`, `failed` and `canceled` are final; a `completed` call may still get its transcript, recording, translation and extraction, each once.',
    '- `call.recording.ready` follows only if the call is recorded; the recording of a simulated call is named `simulated`.',
    '',
  ].join('\n');
}
