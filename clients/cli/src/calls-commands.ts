/** calls: commands that do more than a single operation. */
import type { CallRecord } from '@parley/sdk';
import type { Command } from 'commander';
import { environmentOf } from './agents/environments.js';
import { agentIdOf } from './agents/files.js';
import type { Context } from './context.js';
import { exitCodes } from './failure.js';
import { keepBytes } from './operations/bytes.js';
import { addOperation } from './operations/commands.js';
import { groupOf } from './operations/tree.js';
import { note, say, show, table } from './output.js';
import { baseUrlOf } from './profiles.js';
import { talk } from './talk/talk.js';

const rowOf = (call: CallRecord): string => table([[call.call_id, call.status, call.to, call.ended_reason ?? null]]);
const collect = (value: string, all: string[]): string[] => [...all, value];

interface Talk {
  var: string[];
  language?: string;
  env: string;
}

export function addCallCommands(program: Command, context: Context): void {
  const { client, common, stop } = context;
  const calls = groupOf(program, 'calls');
  calls
    .command('place <agent> <to>')
    .description('have an agent call a number; the agent by its id or the name of its file')
    .option('--var <name=value>', 'a variable', collect, [])
    .option('--from <number>', 'a number of the project; by default its only one')
    .option('--env <name>', 'an environment of parley.yaml; it has its own lock file', 'default')
    .action(async (agent: string, to: string, { var: variables, from, env }: Talk & { from?: string }) => {
      const body = { agent_id: agentIdOf(agent, '.', env), to, variables: namedValues(variables) };
      const call = await client(environmentOf('.', env).profile).calls.createCall({
        body: { ...body, ...(from === undefined ? {} : { from }) },
      });
      show(call, common(), () => rowOf(call));
    });
  calls
    .command('watch <call_id>')
    .description('follow a call to its end')
    .action(async (callId: string) => {
      const onStatus = (status: string): void => note(`${callId} ${status}`);
      const call = await client().waitForCall(callId, ['completed'], { signal: stop, onStatus });
      show(call, common(), () => rowOf(call));
      if (call.status !== 'completed') process.exitCode = exitCodes.api;
    });
  calls
    .command('transcript <call_id>')
    .description('print the transcript of a call')
    .action(async (callId: string) => {
      const transcript = await client().calls.getTranscript({ path: { call_id: callId } });
      show(transcript, common(), () => transcript.turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'));
    });
  calls
    .command('recording <call_id>')
    .description('save the recording of a call to a file')
    .option('--out <file>', 'by default the id of the call')
    .action(async (callId: string, { out }: { out?: string }) => {
      const path = { call_id: callId };
      const sound = await client().request({ method: 'GET', url: '/v1/calls/{call_id}/recording/audio', path });
      const file = await keepBytes(sound as Blob, out ?? callId);
      show({ call_id: callId, file }, common(), () => file);
    });
  for (const [name, decision] of [
    ['approve', 'approve'],
    ['reject', 'reject'],
  ] as const)
    addOperation(calls, name, 'resolveReview', context, { body: { decision } }).description(
      `${decision} a call that waits for a review`,
    );
  calls
    .command('talk <agent>')
    .description('talk with an agent, by its id or the name of its file: microphone and loudspeaker through sox')
    .option('--var <name=value>', 'a variable', collect, [])
    .option('--language <code>', 'a language that the agent speaks')
    .option('--env <name>', 'an environment of parley.yaml; it has its own lock file', 'default')
    .action(async (agent: string, { var: variables, language, env }: Talk) => {
      const isText = common().json !== true && process.stdout.isTTY;
      const { profile } = environmentOf('.', env);
      const talked = await talk(client(profile), {
        agentId: agentIdOf(agent, '.', env),
        baseUrl: baseUrlOf(common().profile, profile),
        ...{ language, variables: namedValues(variables), signal: stop },
        onTurn: (speaker, text) => say(isText ? `${speaker}: ${text}` : JSON.stringify({ speaker, text })),
      });
      say(isText ? `${talked.call_id}: ${talked.ended_reason}` : JSON.stringify(talked));
    });
}

function namedValues(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string]));
}
