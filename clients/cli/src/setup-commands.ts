/** Commands to set up and diagnose an installation: init, schemas, pull, doctor, completion, mcp. */
import type { Command } from 'commander';
import { environmentOf } from './agents/environments.js';
import { init, writeSchemas } from './agents/init.js';
import { pull } from './agents/pull.js';
import type { Common } from './context.js';
import { candidates, completionScript } from './completion.js';
import { examine } from './doctor.js';
import { mcpConfig } from './mcp-config.js';
import { note, say, show, table } from './output.js';
import { baseUrlOf, connect } from './profiles.js';

export function addSetupCommands(program: Command): void {
  const common = (): Common => program.opts<Common>();
  program
    .command('init')
    .argument('[folder]', 'where to create agents/', '.')
    .description('write a first agent to apply, parley.yaml, and the schemas of the files for editors')
    .action((folder: string) => {
      note(`wrote ${init(folder)}; parley plan shows what it would become`);
    });
  program
    .command('schemas')
    .argument('[folder]', 'where agents/ is', '.')
    .description('write the JSON Schemas of the files for this version, as init does')
    .action((folder: string) => {
      const files = writeSchemas(folder);
      show(files, common(), () => files.join('\n'));
    });
  program
    .command('pull')
    .argument('[folder]', 'where agents/ is', '.')
    .description('write changes that were made on the platform into the files')
    .option('--env <name>', 'an environment of parley.yaml; it has its own lock file', 'default')
    .option('--agent <id>', 'only this agent, even if it has no file yet')
    .option('--force', "use the platform's version if both sides changed", false)
    .action(async (folder: string, { env, agent, force }: { env: string; agent?: string; force: boolean }) => {
      const { profile } = environmentOf(folder, env);
      const pulled = await pull(connect(common().profile, profile), {
        folder,
        environment: env,
        agentId: agent,
        force,
      });
      show(pulled, common(), () =>
        table(pulled.map(({ slug, agent_id: id, fields }) => [slug, id, fields.join(', ') || 'as it was'])),
      );
    });
  program
    .command('doctor')
    .description('find out why the command line does not work')
    .action(async () => {
      const { profile } = common();
      const findings = await examine(baseUrlOf(profile), () => connect(profile));
      show(findings, common(), () =>
        table(findings.map(({ what, ok, detail }) => [ok ? 'ok' : 'FAILED', what, detail])),
      );
      process.exitCode = findings.find(({ ok }) => !ok)?.exitCode ?? 0;
    });
  program
    .command('completion <shell>')
    .description('completions of bash, zsh or fish: eval "$(parley completion bash)"')
    .action((shell: string) => say(completionScript(shell)));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => say(candidates(program, words).join(' ')));
  program
    .command('mcp')
    .description('for MCP clients')
    .command('config <client>')
    .description('the configuration of claude, cursor or vscode; the key stays in PARLEY_API_KEY')
    .option('--toolsets <names>', 'comma-separated; all by default', (text) => text.split(','), [] as string[])
    .action((client: string, { toolsets }: { toolsets: string[] }) =>
      say(JSON.stringify(mcpConfig(client, baseUrlOf(common().profile), toolsets), null, 2)),
    );
}
