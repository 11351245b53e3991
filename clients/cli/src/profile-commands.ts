/** Commands for keys and the installations that they belong to: login, logout, whoami, profiles. */
import { password } from '@clack/prompts';
import { Parley } from '@parley/sdk';
import type { Command } from 'commander';
import type { Context } from './context.js';
import { Failure } from './failure.js';
import { note, show, table } from './output.js';
import { readProfiles, writeProfiles } from './profiles.js';

export function addProfileCommands(program: Command, { client, common }: Context): void {
  program
    .command('login')
    .description(
      'verify a key and store it in a file that only you can read; the key is read from PARLEY_API_KEY or a prompt',
    )
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
    .command('profiles [use]')
    .description('list the stored profiles, or select the one to use from now on; keys are not shown')
    .action((use: string | undefined) => {
      const held = readProfiles();
      if (use !== undefined) {
        if (held.profiles[use] === undefined)
          throw new Failure('usage', `there is no profile ${use}: parley --profile ${use} login`);
        held.current = use;
        writeProfiles(held);
      }
      const { current, profiles } = held;
      const shown = Object.entries(profiles).map(([name, { base_url: url }]) => {
        return { name, base_url: url, current: name === current };
      });
      show(shown, common(), () =>
        table(shown.map(({ name, base_url: url, current: isCurrent }) => [isCurrent ? '*' : ' ', name, url])),
      );
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
}
