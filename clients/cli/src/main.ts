#!/usr/bin/env node
import { password } from '@clack/prompts';
import { Parley, type CallRecord, type EventType } from '@parley/sdk';
import { Command } from 'commander';
import { agentIdOf } from './agents/files.js';
import { apply, plan, type Planned } from './agents/work.js';
import { exitCodeOf, exitCodes, Failure, linesOf } from './failure.js';
import { listen, trigger } from './listen.js';
import { note, say, show, table } from './output.js';
import { baseUrlOf, connect, readProfiles, writeProfiles } from './profiles.js';
import { addSetupCommands } from './setup-commands.js';
import { addSimulateCommand } from './simulate-command.js';
import { talk } from './talk/talk.js';

interface Common {
  json?: boolean;
  profile?: string;
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const program = new Command('parley')
  .description('agents as code, calls, events and webhooks of a Parley installation')
  .option('--profile <name>', 'the profile of parley login; PARLEY_PROFILE')
  .option('--json', 'JSON, as where the output is not a terminal')
  .showHelpAfterError()
  .exitOverride();
const common = (): Common => program.opts<Common>();
const client = (): Parley => connect(common().profile);
const collect = (value: string, all: string[]): string[] => [...all, ...value.split(',')];

program
  .command('login')
  .description('keep a key, verified, in a file that only you can read; the key comes from PARLEY_API_KEY or a prompt')
  .option('--base-url <url>', 'the address of the gateway', 'http://127.0.0.1:8080')
  .action(async ({ baseUrl }: { baseUrl: string }) => {
    const entered =
      process.env.PARLEY_API_KEY ?? (process.stdin.isTTY ? await password({ message: 'API key' }) : undefined);
    if (typeof entered !== 'string') throw new Failure('key', 'there is no key: set PARLEY_API_KEY');
    const me = await new Parley({ apiKey: entered, baseUrl }).me.getMe();
    const profiles = readProfiles();
    const name = common().profile ?? profiles.current;
    profiles.profiles[name] = { base_url: baseUrl, api_key: entered };
    writeProfiles({ ...profiles, current: name });
    note(`logged in as ${me.name} (${me.organization?.name ?? 'operator'}), profile ${name}`);
  });
program
  .command('logout')
  .description('forget the key of a profile')
  .action(() => {
    const profiles = readProfiles();
    delete profiles.profiles[common().profile ?? profiles.current];
    writeProfiles(profiles);
  });
program
  .command('whoami')
  .description('the key, its organization, projects and scopes')
  .action(async () => {
    const me = await client().me.getMe();
    show(me, common(), () =>
      table([
        ['key', `${me.key_id} ${me.name}`],
        ['organization', me.organization?.organization_id],
        ['projects', me.projects.map(({ project_id: id }) => id).join(' ')],
        ['scopes', me.scopes.join(' ')],
      ]),
    );
  });

addSetupCommands(program);

const asCode = (command: Command): Command =>
  command.argument('[folder]', 'where agents/ is', '.').option('--env <name>', 'which lock file', 'default');

asCode(program.command('plan'))
  .description('what apply would do: changes, blockers, drift, price and latency')
  .option('--detailed-exitcode', `${exitCodes.changes} where there are changes`)
  .action(async (folder: string, { env, detailedExitcode }: { env: string; detailedExitcode?: boolean }) => {
    const planned = await plan(client(), { folder, environment: env });
    show(planned, common(), () => planned.map(describe).join('\n'));
    if (planned.some(({ preview }) => (preview?.blockers.length ?? 0) > 0)) process.exitCode = exitCodes.blockers;
    else if (planned.some(({ drift }) => drift.length > 0)) process.exitCode = exitCodes.conflict;
    else if (detailedExitcode && planned.some(({ changes }) => changes.length > 0))
      process.exitCode = exitCodes.changes;
  });
asCode(program.command('apply'))
  .description('make the platform what the files say; publishes what the platform publishes on such a save')
  .option('--project <id>', 'of new agents')
  .option('--force', 'write over changes that were made on the platform', false)
  .action(async (folder: string, { env, project, force }: { env: string; project?: string; force: boolean }) => {
    const done = await apply(client(), { folder, environment: env, projectId: project, force });
    show(done, common(), () =>
      table(done.map((one) => [one.slug, one.agent_id, one.changed ? 'changed' : 'as it was'])),
    );
  });

addSimulateCommand(program, { client, json: common, stop: stop.signal });

const calls = program.command('calls').description('place and follow calls');
const callRow = (call: CallRecord): string => table([[call.call_id, call.status, call.to, call.ended_reason ?? null]]);
calls
  .command('place <agent_id> <to>')
  .option('--var <name=value>', 'a variable', collect, [])
  .action(async (agentId: string, to: string, { var: variables }: { var: string[] }) => {
    const call = await client().calls.createCall({
      body: { agent_id: agentId, to, variables: namedValues(variables) },
    });
    show(call, common(), () => callRow(call));
  });
calls.command('list').action(async () => {
  const { data } = await client().calls.listCalls();
  show(data, common(), () => data.map(callRow).join('\n'));
});
calls.command('get <call_id>').action(async (callId: string) => {
  const call = await client().calls.getCall({ path: { call_id: callId } });
  show(call, common(), () => callRow(call));
});
calls
  .command('watch <call_id>')
  .description('follow a call to its end')
  .action(async (callId: string) => {
    const call = await client().waitForCall(callId, ['completed'], { signal: stop.signal });
    show(call, common(), () => callRow(call));
    if (call.status !== 'completed') process.exitCode = exitCodes.api;
  });
calls.command('transcript <call_id>').action(async (callId: string) => {
  const transcript = await client().calls.getTranscript({ path: { call_id: callId } });
  show(transcript, common(), () => transcript.turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'));
});

calls
  .command('talk <agent>')
  .description('talk with an agent, by its id or the name of its file: microphone and loudspeaker through sox')
  .option('--var <name=value>', 'a variable', collect, [])
  .option('--language <code>', 'one that the agent speaks')
  .option('--env <name>', 'which lock file', 'default')
  .action(async (agent: string, { var: variables, language, env }: Talk) => {
    const isText = common().json !== true && process.stdout.isTTY;
    const talked = await talk(client(), {
      agentId: agentIdOf(agent, '.', env),
      baseUrl: baseUrlOf(common().profile),
      ...{ language, variables: namedValues(variables), signal: stop.signal },
      onTurn: (speaker, text) => say(isText ? `${speaker}: ${text}` : JSON.stringify({ speaker, text })),
    });
    say(isText ? `${talked.call_id}: ${talked.ended_reason}` : JSON.stringify(talked));
  });
interface Talk {
  var: string[];
  language?: string;
  env: string;
}

const follow = (command: Command): Command =>
  command
    .option('--types <types>', 'comma-separated', collect, [])
    .option('--after <position>', 'a cursor, an event id or a time')
    .option('--count <n>', 'end after so many events', Number);
interface Follow {
  types: EventType[];
  after?: string;
  count?: number;
}
follow(program.command('events').description('the event log').command('tail'))
  .description('events as they happen, one JSON document a line')
  .action(async ({ types, after, count }: Follow) => {
    let seen = 0;
    const options = { types, signal: stop.signal, ...(after === undefined ? {} : { after }) };
    for await (const { json } of client().streamEvents(options)) {
      say(json);
      seen += 1;
      if (seen === count) return;
    }
  });
follow(program.command('listen'))
  .description('post events to a local address, signed, without a tunnel')
  .requiredOption('--forward <url>')
  .option('--secret <whsec>', 'signs; PARLEY_WEBHOOK_SECRET; else a new one, printed')
  .action(async ({ types, after, count, forward, secret }: Follow & { forward: string; secret?: string }) => {
    const signedWith = secret ?? process.env.PARLEY_WEBHOOK_SECRET;
    await listen(client(), { forward, secret: signedWith, types, after, count, signal: stop.signal });
  });

program
  .command('trigger [type]')
  .description('an event for who develops a receiver: the newest of a type, posted again, or the sample of an endpoint')
  .option('--forward <url>', 'posts to this address, signed')
  .option('--secret <whsec>', 'signs; PARLEY_WEBHOOK_SECRET; else a new one, printed')
  .option('--endpoint <id>', 'has the platform deliver its sample to this endpoint')
  .action(async (type: EventType | undefined, { forward, secret, endpoint }: Trigger) => {
    if (endpoint !== undefined && forward === undefined && type === undefined) {
      const delivery = await client().agentEndpoints.testAgentEndpoint({ path: { agent_endpoint_id: endpoint } });
      show(delivery, common(), () => table([[delivery.delivery_id, delivery.status]]));
      return;
    }
    if (type === undefined || forward === undefined || endpoint !== undefined)
      throw new Failure('usage', 'either a type and --forward, or --endpoint');
    const signedWith = secret ?? process.env.PARLEY_WEBHOOK_SECRET;
    note(`${forward} took ${await trigger(client(), { type, forward, secret: signedWith })}`);
  });
interface Trigger {
  forward?: string;
  secret?: string;
  endpoint?: string;
}

function namedValues(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

function describe({ slug, agent_id, changes, drift, preview, before }: Planned): string {
  const lines = changes.map(({ field, from, to }) => `  ${field}: ${short(from)} -> ${short(to)}`);
  const foreign = drift.map(
    ({ field, from, to }) => `  changed on the platform: ${field}: ${short(from)} -> ${short(to)}`,
  );
  const blockers = (preview?.blockers ?? []).map(
    ({ scope, code, detail }) => `  blocked: ${scope}: ${code}: ${detail}`,
  );
  const figures = preview
    ? [
        `  cost ${JSON.stringify(before?.cost)} -> ${JSON.stringify(preview.cost)} micro-USD a minute`,
        `  latency ${JSON.stringify(before?.latency)} -> ${JSON.stringify(preview.latency)} ms`,
      ]
    : [];
  const what = changes.length === 0 ? 'no changes' : agent_id === null ? 'is created' : 'changes';
  return [`${slug} (${agent_id ?? 'new'}): ${what}`, ...lines, ...foreign, ...blockers, ...figures].join('\n');
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
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
