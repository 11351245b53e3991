#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import type { EventType, Parley } from '@parley/sdk';
import { Command } from 'commander';
import { addAgentCommands } from './agents/commands.js';
import { addCallCommands } from './calls-commands.js';
import { addCampaignCommands } from './campaign-commands.js';
import type { Common, Context } from './context.js';
import { exitCodeOf, exitCodes, Failure, linesOf } from './failure.js';
import { listen, trigger } from './listen.js';
import { addApiCommand } from './operations/api-command.js';
import { addOperations } from './operations/tree.js';
import { note, say, show, table } from './output.js';
import { addProfileCommands } from './profile-commands.js';
import { connect } from './profiles.js';
import { addSetupCommands } from './setup-commands.js';
import { addSimulateCommand } from './simulate-command.js';
import { addVoiceCommands } from './voice-commands.js';
import { addWebhookCommands } from './webhook-commands.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const program = new Command('parley')
  .description('agents as code, calls, events and webhooks of a Parley installation')
  .version(version)
  .option('--profile <name>', 'the profile of parley login; PARLEY_PROFILE')
  .option('--json', 'print JSON; the default if the output is not a terminal')
  .option('-q, --quiet', 'print only ids, one per line')
  .showHelpAfterError()
  .exitOverride();
const common = (): Common => program.opts<Common>();
const client = (profile?: string): Parley => connect(common().profile, profile);
const collect = (value: string, all: string[]): string[] => [...all, ...value.split(',')];

const context: Context = { client, common, stop: stop.signal };
addProfileCommands(program, context);
addSetupCommands(program);
addAgentCommands(program, context);
addSimulateCommand(program, { client, json: common, stop: stop.signal });
addOperations(program, context);
addCallCommands(program, context);
addCampaignCommands(program, context);
addVoiceCommands(program, context);
addWebhookCommands(program, context);
addApiCommand(program, context);

const follow = (command: Command): Command =>
  command
    .option('--types <types>', 'comma-separated', collect, [])
    .option('--after <position>', 'a cursor, an event id or a time')
    .option('--count <n>', 'end after this number of events', Number);
interface Follow {
  types: EventType[];
  after?: string;
  count?: number;
}
follow(program.command('events').description('the event log').command('tail'))
  .description('print events as they happen, one JSON document per line')
  .option('--agent <id>', 'only events of this agent')
  .option('--resource <id>', 'only events of this call, message or campaign')
  .action(async ({ types, after, count, agent, resource }: Follow & { agent?: string; resource?: string }) => {
    let seen = 0;
    const options = {
      ...{ types, signal: stop.signal },
      ...(after === undefined ? {} : { after }),
      ...(agent === undefined ? {} : { agentId: agent }),
      ...(resource === undefined ? {} : { resourceId: resource }),
    };
    for await (const { json } of client().streamEvents(options)) {
      say(json);
      seen += 1;
      if (seen === count) return;
    }
  });
follow(program.command('listen'))
  .description('post events to a local address, signed, without a tunnel')
  .requiredOption('--forward <url>')
  .option('--secret <whsec>', 'the signing secret, or PARLEY_WEBHOOK_SECRET; by default a new one, which is printed')
  .action(async ({ types, after, count, forward, secret }: Follow & { forward: string; secret?: string }) => {
    const signedWith = secret ?? process.env.PARLEY_WEBHOOK_SECRET;
    await listen(client(), { forward, secret: signedWith, types, after, count, signal: stop.signal });
  });

program
  .command('trigger [type]')
  .description('send a test event to a receiver: the newest event of a type again, or the sample of an endpoint')
  .option('--forward <url>', 'post to this address, signed')
  .option('--secret <whsec>', 'the signing secret, or PARLEY_WEBHOOK_SECRET; by default a new one, which is printed')
  .option('--endpoint <id>', 'let the platform deliver its sample to this endpoint')
  .action(async (type: EventType | undefined, { forward, secret, endpoint }: Trigger) => {
    if (endpoint !== undefined && forward === undefined && type === undefined) {
      const delivery = await client().agentEndpoints.testAgentEndpoint({ path: { agent_endpoint_id: endpoint } });
      show(delivery, common(), () => table([[delivery.delivery_id, delivery.status]]));
      return;
    }
    if (type === undefined || forward === undefined || endpoint !== undefined)
      throw new Failure('usage', 'either a type and --forward, or --endpoint');
    const signedWith = secret ?? process.env.PARLEY_WEBHOOK_SECRET;
    note(`delivered ${await trigger(client(), { type, forward, secret: signedWith })} to ${forward}`);
  });
interface Trigger {
  forward?: string;
  secret?: string;
  endpoint?: string;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')) {
    process.exitCode = 'exitCode' in error && error.exitCode === 0 ? 0 : exitCodes.usage;
  } else if (!stop.signal.aborted) {
    for (const line of linesOf(error)) note(line);
    process.exitCode = exitCodeOf(error);
  }
}
