/** From nothing to a conversation and a verified webhook, like a new user would type it: at most twelve commands, in under five minutes. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Parley } from '../../clients/typescript/dist/index.js';
import { callInBrowser } from './call-page.mts';
import { CommandLine } from './cli.mts';
import { receiver } from './receiver.mts';
import { askedAgain, halfSecondsFound, question, spokenBy, understood, waveOf } from './speech.mts';
import type { Check, ClientWorld } from './world.mts';

async function newUser(world: ClientWorld): Promise<void> {
  const begin = performance.now();
  const cli = new CommandLine(world);
  // The first command is npm run build, which was already run in this checkout. From now on only the command line and the user's own page are used.
  cli.commands += 1;
  await cli.login();
  assert.equal((await cli.run(['init'])).code, 0);
  assert.equal((await cli.run(['plan', '--detailed-exitcode'])).code, 10);
  const [applied] = await cli.json<{ agent_id: string }[]>('apply', '--project', world.projectId);
  assert.ok(applied);
  assert.equal((await cli.run(['plan', '--detailed-exitcode'])).code, 0);

  // The new user's server for the page: three lines with the SDK.
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  const path_ = { agent_id: applied.agent_id };
  const since = new Date(Date.now() - 1_000).toISOString();
  const microphone = path.join(cli.folder, 'question.wav');
  writeFileSync(microphone, waveOf(askedAgain(await spokenBy(parley, applied.agent_id, question))));
  const call = await parley.agents.createTestCall({ path: path_ });
  const answered = (turns: readonly { speaker: string; text: string }[]): string | undefined => {
    const asked = turns.findIndex(({ speaker, text }) => speaker === 'caller' && understood.test(text));
    return asked === -1
      ? undefined
      : turns.slice(asked).find(({ speaker, text }) => speaker === 'agent' && understood.test(text))?.text;
  };
  const held = await callInBrowser({
    ...{ page: world.callPage, address: call, microphone, profile: path.join(cli.folder, 'browser') },
    until: (turns) => answered(turns) !== undefined,
  });
  assert.deepEqual([held.problems, held.endedReason], [[], 'caller_hung_up']);
  assert.ok(held.level > 0.02, `the level of the microphone was ${held.level}`);
  const answer = answered(held.turns) ?? '';
  assert.ok(halfSecondsFound(await spokenBy(parley, applied.agent_id, answer), held.played) >= 3, `heard: ${answer}`);
  const other = 'Completely different words, which were never spoken to anybody.';
  assert.equal(halfSecondsFound(await spokenBy(parley, applied.agent_id, other), held.played), 0);

  const receiving = await receiver();
  try {
    const forwarded = ['--forward', receiving.url, '--secret', receiving.secret, '--types', 'call.completed'];
    const heard = await cli.run(['listen', ...forwarded, '--after', since, '--count', '1']);
    assert.equal(heard.code, 0, heard.stderr);
    assert.deepEqual(receiving.received, ['call.completed']);
  } finally {
    receiving.close();
  }
  const { turns } = await cli.json<{ turns: { text: string }[] }>('calls', 'transcript', call.call_id);
  assert.ok(turns.some(({ text }) => text === answer));
  const seconds = (performance.now() - begin) / 1_000;
  assert.ok(cli.commands <= 12, `${cli.commands} commands`);
  assert.ok(seconds < 300, `${seconds} s`);
  console.log(`        a new user took ${cli.commands} commands and ${Math.round(seconds)} s`);
}

export const newUserChecks: readonly Check[] = [
  {
    name: 'new user: agent from a file, a conversation in a browser, a verified webhook, in 12 commands and 5 minutes',
    needs: ['browser', 'speech'],
    run: newUser,
  },
];
