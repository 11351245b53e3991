/** parley voices play: speaks a text in a voice, to the loudspeaker or into a file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { agentIdOf } from './agents/files.js';
import type { Context } from './context.js';
import { Failure } from './failure.js';
import { keepBytes } from './operations/bytes.js';
import { perform, operationOf } from './operations/call.js';
import { groupOf } from './operations/tree.js';
import { note, show } from './output.js';

interface Play {
  provider?: string;
  model?: string;
  language?: string;
  agent?: string;
  out?: string;
}

export function addVoiceCommands(program: Command, { client, common, stop }: Context): void {
  groupOf(program, 'voices')
    .command('play <voice> <text>')
    .description('play a text with sox, or save it to a file; - as the voice uses that of --agent')
    .option('--provider <name>', 'the provider of the voice, with --model: parley voices list')
    .option('--model <name>')
    .option('--language <code>')
    .option('--agent <agent>', 'an agent whose settings are used if not given here')
    .option('--out <file>', 'a WAVE file instead of the loudspeaker')
    .action(async (voice: string, text: string, { provider, model, language, agent, out }: Play) => {
      const named = provider === undefined ? voice : { provider, model, voice_id: voice };
      const body = {
        text,
        ...(voice === '-' ? {} : { voice: named }),
        ...(language === undefined ? {} : { language }),
        ...(agent === undefined ? {} : { agent_id: agentIdOf(agent, '.', 'default') }),
      };
      const sound = await perform(client(), operationOf('previewVoice'), { path: {}, query: {}, body }, stop);
      if (!(sound instanceof Blob)) throw new Failure('api', 'the platform returned no audio');
      if (out !== undefined) {
        const file = await keepBytes(sound, out);
        show({ file, bytes: sound.size }, common(), () => file);
      } else await play(Buffer.from(await sound.arrayBuffer()));
    });
}

async function play(wave: Buffer): Promise<void> {
  const player = spawn('play', ['-q', '-t', 'wav', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  player.stdin.on('error', () => undefined).end(wave);
  const [code] = (await once(player, 'close').catch(() => {
    throw new Failure('usage', 'play of sox is not on the PATH: install sox, or --out <file>');
  })) as [number | null];
  if (code !== 0) note(`play ended with ${code}`);
}
