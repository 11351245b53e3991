/** One call over G.722 in which speech is recognized and answered. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { joined, silence, speak, writeWav } from '../../scripts/asterisk/trial/sound.mts';
import { above4kHz } from '../../scripts/asterisk/trial/waveform.mts';
import { Telephone } from './baresip.mts';
import { Recogniser } from './recogniser.mts';
import { codeIn } from './tones.mts';
import { callFrom, finished, read, type SipWorld } from './world.mts';

const sentence = 'What are your opening hours on Saturday?';
const words = ['what', 'are', 'your', 'opening', 'hours', 'on', 'saturday'];
/** The minimum level above 4 kHz. A narrow-band line is far below it. */
const leastAbove4kHzDb = -40;

export async function speaks(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, asterisk, supervisor, folder, number, models } = world;
  const recogniser = new Recogniser(folder);
  models.hears = recogniser.hears;
  const spoken = await speak('flite', 'slt', sentence, path.join(folder, 'words.wav'));
  const audio = path.join(folder, 'speaker.wav');
  writeWav(audio, joined(silence(16_000, 4_000), spoken, silence(16_000, 30_000)));
  const user = '+14155553001';
  const telephone = await Telephone.start(
    {
      guard: supervisor.guard,
      directory: path.join(folder, 'speaker'),
      user,
      codec: 'g722',
      audio,
      longestSeconds: 60,
    },
    `sip:${number}@127.0.0.1:${asterisk.sipPort}`,
  );
  try {
    await telephone.prints('Call established', 30_000);
    // Recognition may take long on a busy machine.
    for (let waited = 0; waited < 40_000 && recogniser.understood.length === 0; waited += 200) await sleep(200);
    await sleep(7_000);
    telephone.hangUp();
    await sleep(500);
    telephone.stop();
    await telephone.ended;
    const { samples, rate } = telephone.heard();
    const [answer, call] = [codeIn(samples, rate), await callFrom(platform, user)];
    await finished(platform, call.call_id);
    const said = await read<{ turns: { role: string; text: string }[] }>(
      platform,
      `/v1/calls/${call.call_id}/transcript`,
    );
    const [heard] = recogniser.understood;
    const highDb = heard === undefined ? -Infinity : above4kHz(heard.sound);
    const broken = [
      ...(isUnderstood(heard?.text) ? [] : [`"${sentence}" was understood as "${heard?.text ?? ''}"`]),
      ...(heard?.sound.rate === 16_000 && highDb > leastAbove4kHzDb
        ? []
        : [`the engine heard ${heard?.sound.rate} Hz with ${highDb} dB above 4 kHz`]),
      ...(answer === models.opens ? [] : [`the answer was ${answer}, not ${models.opens}`]),
      ...(said.turns.some(({ text }) => isUnderstood(text)) ? [] : ['the words are not in the transcript']),
    ];
    const rows = [
      { understood: heard?.text, 'Hz at the engine': heard?.sound.rate, 'dB above 4 kHz': Math.round(highDb), answer },
    ];
    return { rows, broken };
  } finally {
    telephone.stop();
    models.hears = () => Promise.resolve('');
  }
}

/** Whether all words were recognized in order, with at most one additional word. */
function isUnderstood(text = ''): boolean {
  const heard = text.toLowerCase().match(/[a-z]+/g) ?? [];
  let at = 0;
  for (const word of heard) if (word === words[at]) at += 1;
  return at === words.length && heard.length <= words.length + 1;
}
