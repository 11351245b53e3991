/** Agents as code: the commands plan, apply and status, and editing one agent in an editor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { exitCodes, Failure } from '../failure.js';
import { note, show, table } from '../output.js';
import { groupOf } from '../operations/tree.js';
import { describePlan } from './describe.js';
import { editAgent } from './edit.js';
import { environmentOf } from './environments.js';
import { agentIdOf } from './files.js';
import type { Planned } from './plan.js';
import { apply, plan, type ApplyOptions } from './work.js';
import type { Secrets } from './write.js';

interface Where {
  env: string;
}

interface Plan extends Where {
  project?: string;
  detailedExitcode?: boolean;
}

interface Apply extends Where {
  project?: string;
  force: boolean;
  showSecrets: boolean;
  secretSink?: string;
}

export function addAgentCommands(program: Command, { client, common }: Context): void {
  const asCode = (command: Command): Command =>
    command
      .argument('[folder]', 'where agents/ is', '.')
      .option('--env <name>', 'an environment of parley.yaml; it has its own lock file', 'default');

  asCode(program.command('plan'))
    .description('show what apply would do: changes, blockers, drift, price and latency')
    .option('--project <id>', 'the project of new agents')
    .option('--detailed-exitcode', `exit with ${exitCodes.changes} if there are changes`)
    .action(async (folder: string, { env, project, detailedExitcode }: Plan) => {
      const { profile, project: own } = environmentOf(folder, env);
      const planned = await plan(client(profile), { folder, environment: env, projectId: project ?? own });
      show(planned, common(), () => planned.map(describePlan).join('\n'));
      if (planned.some(({ preview }) => (preview?.blockers.length ?? 0) > 0)) process.exitCode = exitCodes.blockers;
      else if (planned.some(({ drift }) => drift.length > 0)) process.exitCode = exitCodes.conflict;
      else if (detailedExitcode && planned.some(({ changes }) => changes.length > 0))
        process.exitCode = exitCodes.changes;
    });
  asCode(program.command('status'))
    .description('show whether files or platform changed since the last apply')
    .action(async (folder: string, { env }: Where) => {
      const { profile, project } = environmentOf(folder, env);
      const rows = (await plan(client(profile), { folder, environment: env, projectId: project })).map((one) => ({
        slug: one.slug,
        agent_id: one.agent_id,
        state: stateOf(one),
      }));
      show(rows, common(), () => table(rows.map(({ slug, agent_id: id, state }) => [slug, id, state])));
    });
  asCode(program.command('apply'))
    .description('write the files to the platform, which publishes a version if the save does')
    .option('--project <id>', 'the project of new agents')
    .option('--force', 'overwrite changes that were made on the platform', false)
    .option('--show-secrets', 'print the secrets of new tools', false)
    .option('--secret-sink <command>', 'a shell command that gets each secret of a new tool as JSON on standard input')
    .action(async (folder: string, { env, project, force, showSecrets, secretSink }: Apply) => {
      const { profile, project: own } = environmentOf(folder, env);
      const made = new Map<string, Secrets>();
      const onSecrets: ApplyOptions['onSecrets'] = async (of, secrets) => {
        made.set(of.agent, secrets);
        if (secretSink !== undefined) await handOver(secretSink, of, secrets);
        else if (!showSecrets)
          note(
            `${of.agent}: the secrets of ${Object.keys(secrets).join(', ')} are not shown (--show-secrets, --secret-sink): parley agents rotate-tool-secret creates new ones`,
          );
      };
      const asShown = (one: { slug: string }) => (showSecrets ? { ...one, secrets: made.get(one.slug) ?? {} } : one);
      try {
        const where = { folder, environment: env, projectId: project ?? own };
        const done = await apply(client(profile), { ...where, force, onSecrets });
        show(done.map(asShown), common(), () =>
          table(
            done.map(({ slug, agent_id: id, changed }) => [
              ...[slug, id, changed ? 'changed' : 'as it was'],
              showSecrets ? secretsText(made.get(slug)) : '',
            ]),
          ),
        );
      } catch (error) {
        // Secrets are returned only once, so they are shown even if a later step was refused.
        const left = [...made.keys()].map((slug) => asShown({ slug }));
        if (showSecrets && left.length > 0)
          show(left, common(), () => table([...made].map(([slug, secrets]) => [slug, secretsText(secrets)])));
        throw error;
      }
    });
  groupOf(program, 'agents')
    .command('edit <agent>')
    .description('edit an agent as a file in EDITOR; refused if someone else changed it meanwhile')
    .action(async (agent: string) => {
      const edited = await editAgent(client(), agentIdOf(agent, '.', 'default'));
      show(edited, common(), () => `${edited.agent_id}: ${edited.fields.join(', ') || 'as it was'}`);
    });
}

function stateOf({ agent_id: id, changes, drift }: Planned): string {
  if (id === null) return 'new';
  const states = [...(changes.length > 0 ? ['changed'] : []), ...(drift.length > 0 ? ['drifted'] : [])];
  return states.join(' and ') || 'applied';
}

const secretsText = (secrets: Secrets = {}): string =>
  Object.entries(secrets)
    .map(([name, secret]) => `${name}: ${secret}`)
    .join(' ');

/** Runs a command once per secret. The secret is its standard input and not an argument. @throws Failure if the command fails */
async function handOver(command: string, of: object, secrets: Secrets): Promise<void> {
  for (const [tool, secret] of Object.entries(secrets)) {
    const sink = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'] });
    sink.stdin.on('error', () => undefined).end(`${JSON.stringify({ ...of, tool, secret })}\n`);
    const [code] = (await once(sink, 'close')) as [number | null];
    if (code !== 0)
      throw new Failure(
        'usage',
        `the command for secrets ended with ${code} for ${tool}: parley agents rotate-tool-secret creates a new one`,
      );
  }
}
