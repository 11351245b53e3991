import { FliteVoice, Pocketsphinx, readWave, recognitionSampleRate, resampleWhole } from '@parley/speech';
import { isMailboxInstruction, languagePack, languagePacks } from '../src/core/languages';

/** Utterances of the other party of a call: phone menus, queues, mailboxes and people. */
const spoken = {
  menu: [
    'Thank you for calling. Please listen carefully, as our menu options have changed.',
    'For billing, press three. For all other questions, press seven.',
    'To leave a message, press three. To speak to someone, press zero.',
    'Main menu. Press one for English. Press nine for Spanish.',
    'Please enter your account number, followed by the pound sign.',
    'If you know the extension, dial it now. For the operator, dial zero.',
    'For opening hours, press four. For directions, press five.',
    'Please choose one of the following options. For sales, press one. For support, press two.',
    'To reach the front desk, press six. To repeat this menu, press eight.',
    'Enter the number of your party, and then press the star key.',
  ],
  queue: [
    'Please stay on the line. Your call will be answered in the order it was received.',
    'All of our agents are busy. The next available agent will be with you shortly.',
    'Your call is important to us. Please remain on the line.',
    'You are number four in line. Thank you for your patience.',
    'You are in the queue. Your estimated wait is five minutes.',
    'We have a higher than normal number of calls. Please continue to hold.',
    'The next available representative will be with you shortly.',
    'Thank you for holding. All our operators are still helping other customers.',
  ],
  mailbox: [
    'I cannot come to the phone right now. Please leave a message.',
    'You have reached my mailbox. Please leave a message after the tone.',
    'We are not at home. Please leave your name and number after the beep.',
    'Please leave a message and I will call you back.',
    'At the signal, please record your name and your message.',
  ],
  person: [
    'Hello, this is Anna speaking. How can I help you?',
    'One moment please, I will get my husband.',
    'No, I am not interested, thank you.',
    'Can you call me back tomorrow morning?',
    'I live at number five, Main Street.',
    'We open at eight in the morning and close at six.',
    'He has a press conference at two.',
    'Would you like to leave a message?',
    'Who is calling? I do not know this number.',
    'Yes, I would like to book a table for four people.',
  ],
} as const;
type Kind = keyof typeof spoken;

/** The classification of words by the rules of English. */
function kindOf(words: string): Kind {
  const pack = languagePack('en');
  if (pack?.isMenu(words) === true) return 'menu';
  if (pack?.isQueue(words) === true) return 'queue';
  return isMailboxInstruction(words, 'en') ? 'mailbox' : 'person';
}

/** After the last words of an announcement, which may be several utterances. */
const quietMs = 2_000;

/** What is recognized of each text, spoken one after the other into one stream. */
async function recognised(voice: FliteVoice, texts: readonly string[]): Promise<Map<string, string>> {
  let words: string[] = [];
  let noted = (): void => undefined;
  let failed = (_: Error): void => undefined;
  const failure = new Promise<never>((_, reject) => (failed = reject));
  failure.catch(() => undefined);
  const recogniser = new Pocketsphinx({
    onFinal: (text) => {
      words.push(text);
      noted();
    },
    onEnd: (error) => error && failed(error),
  });
  const heard = new Map<string, string>();
  for (const text of texts) {
    words = [];
    const said = new Promise<void>((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      noted = () => {
        clearTimeout(quiet);
        quiet = setTimeout(resolve, quietMs);
      };
    });
    const wave = await voice.synthesize({ owner: 'org_test', text, voiceId: 'sim-anna', delivery: undefined });
    const { samples, sampleRate } = readWave(wave);
    recogniser.hear(resampleWhole(samples, sampleRate, recognitionSampleRate));
    recogniser.finishUtterance();
    await Promise.race([said, failure]);
    heard.set(text, words.join(' '));
  }
  recogniser.close();
  return heard;
}

const lacking = Pocketsphinx.isAvailable() ? '' : ' (pocketsphinx is not installed)';
(lacking === '' ? describe : describe.skip)(`rules of English for recognized speech${lacking}`, () => {
  const voice = new FliteVoice({ threads: 1, waiting: 64, timeoutMs: 120_000 });
  let heard: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const all = await Promise.all(Object.values(spoken).map((texts) => recognised(voice, texts)));
    heard = new Map(all.flatMap((some) => [...some]));
  }, 900_000);
  afterAll(() => voice.stop());

  const judged = (kind: Kind) =>
    spoken[kind].map((text) => ({ text, heard: heard.get(text), as: kindOf(heard.get(text) ?? '') }));

  it.each<[Kind, number]>([
    ['menu', 9],
    ['queue', 7],
    ['mailbox', 4],
  ])('%s: at least %d of the announcements are classified correctly', (kind, least) => {
    const wrong = judged(kind).filter(({ as }) => as !== kind);
    expect(wrong.slice(0, Math.max(0, wrong.length - (spoken[kind].length - least)))).toEqual([]);
  });

  it('no utterance of a person is classified as an announcement', () => {
    expect(judged('person').filter(({ as }) => as !== 'person')).toEqual([]);
  });

  it('English is the only language pack that is marked as checked with speech', () => {
    expect(languagePacks.flatMap(({ checked, language }) => (checked === 'speech' ? [language] : []))).toEqual(['en']);
  });
});
