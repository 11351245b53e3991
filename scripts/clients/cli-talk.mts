/**
 * Tests parley calls talk against the platform, with programs that replace those of sox: rec plays a file in real time, and play records its input. The result
 * is evaluated by its samples. Also tests parley trigger with a receiver that verifies signatures.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Parley } from '../../clients/typescript/dist/index.js';
import { root } from '../platform/options.mts';
import { CommandLine } from './cli.mts';
import { receiver } from './receiver.mts';
import { numberOf } from './snippets.mts';
import { askedAgain, halfSecondsFound, question, spokenBy, understood } from './speech.mts';
import type { Check, ClientWorld } from './world.mts';

/** Outputs the file repeatedly, 20 ms of it every 20 ms. */
const rec = `#!${process.execPath}
const fs = require('node:fs');
fs.writeFileSync(process.env.FAKE_SOX + '/rec-arguments', JSON.stringify(process.argv.slice(2)));
const sound = fs.readFileSync(process.env.FAKE_SOX + '/question.pcm');
const begin = performance.now();
let sent = 0;
setInterval(() => {
  while (sent * 20 < performance.now() - begin) {
    const piece = Buffer.alloc(640);
    const at = (sent * 640) % sound.length;
    sound.copy(piece, 0, at, at + 640);
    process.stdout.write(piece);
    sent += 1;
  }
}, 10);
`;
const play = `#!${process.execPath}
const fs = require('node:fs');
fs.writeFileSync(process.env.FAKE_SOX + '/play-arguments', JSON.stringify(process.argv.slice(2)));
process.stdin.on('data', (chunk) => fs.appendFileSync(process.env.FAKE_SOX + '/heard.pcm', chunk));
`;
const format = '-q -t raw -e signed-integer -b 16 -L -r 16000 -c 1 -'.split(' ');

async function talking(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  cli.write('---\nname: Reception\nlanguages: [en]\nfirst_message: Good morning\n---\nYou are the receptionist.\n');
  const [applied] = await cli.json<{ agent_id: string }[]>('apply', '--project', world.projectId);
  assert.ok(applied);

  // Without sox the command is refused before a call is created.
  const bare = await cli.run(['calls', 'talk', 'reception'], { PATH: cli.folder });
  assert.equal(bare.code, 1, bare.stderr);
  assert.match(bare.stderr, new RegExp(`rec and play of sox are not on the PATH.*/test/${applied.agent_id}`));

  const sox = path.join(cli.folder, 'sox');
  mkdirSync(sox);
  for (const [name, text] of Object.entries({ rec, play })) {
    writeFileSync(path.join(sox, name), text);
    chmodSync(path.join(sox, name), 0o755);
  }
  const voice = (text: string): Promise<Buffer> => spokenBy(parley, applied.agent_id, text);
  writeFileSync(path.join(sox, 'question.pcm'), askedAgain(await voice(question)));

  const child = spawn(process.execPath, [path.join(root, 'clients/cli/dist/main.js'), 'calls', 'talk', 'reception'], {
    cwd: cli.folder,
    env: { PATH: [sox, process.env.PATH].join(path.delimiter), HOME: cli.folder, FAKE_SOX: sox },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 200_000,
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  let answer = '';
  for await (const chunk of child.stdout) {
    stdout += String(chunk);
    const turns = stdout.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Turn] : []));
    const asked = turns.findIndex(({ speaker, text }) => speaker === 'caller' && understood.test(text ?? ''));
    const found =
      asked === -1
        ? undefined
        : turns.slice(asked).find(({ speaker, text }) => speaker === 'agent' && understood.test(text ?? ''));
    if (answer !== '' || found?.text === undefined) continue;
    answer = found.text;
    // The transcript is printed during the call: waits until it is complete.
    await heardWhole(path.join(sox, 'heard.pcm'));
    child.kill('SIGINT');
  }
  const code = child.exitCode ?? ((await once(child, 'close')) as [number | null])[0];
  assert.equal(code, 0, `${stderr}${stdout}`);
  assert.match(answer, understood, stdout);
  const ended = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { call_id: string; ended_reason: string };
  assert.equal(ended.ended_reason, 'caller_hung_up');
  for (const name of ['rec', 'play'])
    assert.deepEqual(JSON.parse(readFileSync(path.join(sox, `${name}-arguments`), 'utf8')), format);
  const heard = readFileSync(path.join(sox, 'heard.pcm'));
  assert.ok(halfSecondsFound(await voice(answer), heard) >= 3, 'the answer was played');
  const other = await voice('Completely different words, which were never spoken to anybody.');
  assert.equal(halfSecondsFound(other, heard), 0);
  const call = await parley.waitForCall(ended.call_id);
  assert.deepEqual([call.status, call.channel], ['completed', 'browser']);
}

interface Turn {
  readonly speaker?: string;
  readonly text?: string;
}

/** Waits until the file has not grown for a second. */
async function heardWhole(file: string): Promise<void> {
  for (let size = -1; ; await pause(1_000)) {
    const now = existsSync(file) ? readFileSync(file).length : 0;
    if (now === size) return;
    size = now;
  }
}

async function triggering(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  await cli.fails(1, 'trigger');
  await cli.fails(1, 'trigger', 'sms.translation.failed', '--forward', 'http://127.0.0.1:1/hook');
  await numberOf(parley, world.projectId);
  cli.write('---\nname: Triggered\nlanguages: [en]\n---\n\nYou greet people.\n');
  const [agent] = await cli.json<{ agent_id: string }[]>('apply', '--project', world.projectId);
  assert.ok(agent);
  const { call_id: callId } = await parley.calls.createCall({ body: { agent_id: agent.agent_id, to: '+15005550006' } });
  await parley.waitForCall(callId);
  // The log has the event a moment after the call is completed.
  const logged = { types: ['call.completed' as const], resource_id: callId };
  while ((await parley.events.listEvents({ query: logged })).data.length === 0) await pause(50);
  await cli.fails(2, 'trigger', 'call.completed', '--forward', 'http://127.0.0.1:1/hook');
  const receiving = await receiver();
  try {
    const secret = ['--secret', receiving.secret];
    const taken = await cli.run(['trigger', 'call.completed', '--forward', receiving.url, ...secret]);
    assert.equal(taken.code, 0, taken.stderr);
    assert.deepEqual(receiving.received, ['call.completed']);
    // An event that is signed with another secret is refused by the receiver.
    await cli.fails(2, 'trigger', 'call.completed', '--forward', receiving.url);
  } finally {
    receiving.close();
  }
}

export const cliTalkChecks: readonly Check[] = [
  { name: 'command line: talk, a question is heard and its answer is played', run: talking, needs: ['speech'] },
  { name: 'command line: trigger posts the newest event of a type, signed', run: triggering },
];
