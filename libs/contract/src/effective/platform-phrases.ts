import { baseLanguage } from '../rules/language-code';

/** The platform's phrases for agents that have none (docs/reference/tuning.md), by base language. */
interface PlatformPhrases {
  readonly acknowledgements: readonly string[];
  readonly toolWait: readonly string[];
  readonly unrecognisedSpeech: string;
}

const phrases: Readonly<Record<string, PlatformPhrases>> = {
  en: {
    acknowledgements: ['Okay.', 'Right.', 'I see.'],
    toolWait: ['One moment, please.', 'Let me check that.'],
    unrecognisedSpeech: 'Sorry, I did not catch that. Could you say it again?',
  },
  de: {
    acknowledgements: ['Okay.', 'Verstehe.', 'Gut.'],
    toolWait: ['Einen Moment, bitte.', 'Ich sehe kurz nach.'],
    unrecognisedSpeech: 'Das habe ich leider nicht verstanden. Können Sie es noch einmal sagen?',
  },
  fr: {
    acknowledgements: ["D'accord.", 'Je vois.', 'Très bien.'],
    toolWait: ["Un instant, s'il vous plaît.", 'Je vérifie.'],
    unrecognisedSpeech: "Excusez-moi, je n'ai pas compris. Pouvez-vous répéter ?",
  },
  es: {
    acknowledgements: ['De acuerdo.', 'Entiendo.', 'Muy bien.'],
    toolWait: ['Un momento, por favor.', 'Voy a comprobarlo.'],
    unrecognisedSpeech: 'Perdone, no le he entendido. ¿Puede repetirlo?',
  },
  it: {
    acknowledgements: ["D'accordo.", 'Capisco.', 'Va bene.'],
    toolWait: ['Un momento, per favore.', 'Controllo subito.'],
    unrecognisedSpeech: 'Mi scusi, non ho capito. Può ripetere?',
  },
  nl: {
    acknowledgements: ['Oké.', 'Begrepen.', 'Goed.'],
    toolWait: ['Een ogenblik, alstublieft.', 'Ik kijk het even na.'],
    unrecognisedSpeech: 'Sorry, dat heb ik niet verstaan. Kunt u het herhalen?',
  },
  pt: {
    acknowledgements: ['Certo.', 'Entendi.', 'Muito bem.'],
    toolWait: ['Um momento, por favor.', 'Vou verificar.'],
    unrecognisedSpeech: 'Desculpe, não entendi. Pode repetir?',
  },
  ru: {
    acknowledgements: ['Хорошо.', 'Понятно.', 'Да.'],
    toolWait: ['Одну минуту, пожалуйста.', 'Сейчас проверю.'],
    unrecognisedSpeech: 'Извините, я не расслышал. Повторите, пожалуйста.',
  },
  pl: {
    acknowledgements: ['Dobrze.', 'Rozumiem.', 'Jasne.'],
    toolWait: ['Chwileczkę, proszę.', 'Już sprawdzam.'],
    unrecognisedSpeech: 'Przepraszam, nie zrozumiałem. Czy można powtórzyć?',
  },
};

/** English backchannels and fillers, which do not count as words of an interruption on hosted English calls. */
export const englishFillers = [
  'ah',
  'eh',
  'er',
  'erm',
  'hm',
  'hmm',
  'huh',
  'mhm',
  'mm',
  'mm-hmm',
  'mmm',
  'oh',
  'uh',
  'uh-huh',
  'um',
];

/** Undefined: the platform has no phrases in this language, so nothing is said. */
export const platformPhrases = (language: string): PlatformPhrases | undefined => phrases[baseLanguage(language)];
