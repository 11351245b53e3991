/** webhooks: recovery of events with its progress, and verification of webhooks that a receiver got. */
import { setTimeout as pause } from 'node:timers/promises';
import { items, webhooks, type Parley, type RecoveryRecord } from '@parley/sdk';
import type { Command } from 'commander';
import type { Context } from './context.js';
import { exitCodes, Failure } from './failure.js';
import { addOperation, fileOf } from './operations/commands.js';
import { groupOf } from './operations/tree.js';
import { note, show } from './output.js';

interface Verify {
  secret?: string;
  id: string;
  timestamp: string;
  signature: string;
  tolerance: number;
}

export function addWebhookCommands(program: Command, context: Context): void {
  const { client, common, stop } = context;
  const group = groupOf(program, 'webhooks');
  addOperation(group, 'recover', 'recoverAgentEndpoint', context, {
    options: [['--no-wait', 'do not wait until all events are delivered again']],
    after: (answer, { options, path }) =>
      options.wait === false
        ? Promise.resolve(answer)
        : recovered(client(), path.agent_endpoint_id ?? '', String(answer.recovery_id), stop),
  });
  group
    .command('verify [file]')
    .description('check the signature of a body, from a file or standard input, as a receiver would')
    .option('--secret <whsec>', 'or PARLEY_WEBHOOK_SECRET')
    .requiredOption('--id <value>', 'the header webhook-id')
    .requiredOption('--timestamp <value>', 'the header webhook-timestamp')
    .requiredOption('--signature <value>', 'the header webhook-signature')
    .option('--tolerance <seconds>', 'the largest allowed difference between timestamp and clock', Number, 300)
    .action(async (file: string | undefined, { secret, id, timestamp, signature, tolerance }: Verify) => {
      const key = secret ?? process.env.PARLEY_WEBHOOK_SECRET;
      if (key === undefined) throw new Failure('usage', '--secret or PARLEY_WEBHOOK_SECRET: required');
      const body = fileOf(file ?? '-');
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      try {
        const event = await webhooks.unwrap(body, headers, key, { toleranceSeconds: tolerance });
        const type = event.type === 'unknown' ? event.event_type : event.type;
        show({ valid: true, type, id: event.id }, common(), () => `valid: ${type} ${event.id}`);
      } catch (error) {
        if (!(error instanceof webhooks.WebhookError)) throw error;
        show({ valid: false, code: error.code }, common(), () => `not valid: ${error.code}`);
        process.exitCode = exitCodes.api;
      }
    });
}

/** Waits until the recovery has ended, and prints its progress. */
async function recovered(parley: Parley, endpointId: string, id: string, signal: AbortSignal): Promise<RecoveryRecord> {
  let said = '';
  for (;;) {
    const path = { agent_endpoint_id: endpointId };
    let found: RecoveryRecord | undefined;
    for await (const one of items((cursor) =>
      parley.agentEndpoints.listRecoveries({ path, query: { cursor }, signal }),
    ))
      if (one.recovery_id === id) {
        found = one;
        break;
      }
    if (found === undefined) throw new Failure('api', `${id} is not in the list of recoveries`);
    const now = `${found.status}: ${found.recovered} of ${found.examined} events are delivered again`;
    if (now !== said) note(now);
    said = now;
    if (found.status !== 'running') return found;
    await pause(500, undefined, { signal });
  }
}
