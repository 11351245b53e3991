import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser named by BROWSER_PATH, otherwise the first one found in PATH. */
export function findBrowser(): string | undefined {
  const { BROWSER_PATH: named, PATH = '' } = process.env;
  const places = PATH.split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...places].find(isProgram);
}

/** Whether a program is found in PATH. */
export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => isProgram(path.join(folder, program)));

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A text, because it runs in the page. Everything that is connected to the loudspeaker is also recorded: `window.played` contains what is heard, from the first
 * sample on, at the sample rate of the audio context.
 */
const recordPlayback = `
  // The file is the caller's voice as it is: what browsers do against echo and noise needs seconds to settle, and takes words away until then.
  const media = navigator.mediaDevices;
  const getUserMedia = media?.getUserMedia.bind(media);
  if (media) media.getUserMedia = () => getUserMedia({
    audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  });
  window.played = [];
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      const recorder = this.context.createScriptProcessor(16384, 1, 1);
      recorder.onaudioprocess = ({ inputBuffer }) => window.played.push(inputBuffer.getChannelData(0).slice());
      connect.call(this, recorder);
      connect.call(recorder, target);
    }
    return connect.call(this, target, ...rest);
  };
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('policy: ' + effectiveDirective + ' ' + blockedURI));
`;

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors that the page has logged or thrown, including violations of its content security policy. */
  readonly errors: string[];
}

/**
 * A headless browser whose microphone plays a file repeatedly from the moment when the page opens it.
 * @param profile an empty folder
 * @param microphone a RIFF WAVE file
 */
export async function openBrowser(executablePath: string, profile: string, microphone: string): Promise<Opened> {
  const isRoot = process.getuid?.() === 0;
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    // The sandbox does not work for root.
    chromiumSandbox: !isRoot,
    viewport: { width: 390, height: 844 },
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.addInitScript({ content: recordPlayback });
  return { context, page, errors };
}

/** Runs in the page: returns what was played, as 16-bit samples in base64. */
const playedSoFar = `
  new Promise((resolve) => {
    const samples = window.played.flatMap((piece) => [Int16Array.from(piece, (sample) => sample * 32767)]);
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(',')[1] ?? '');
    reader.readAsDataURL(new Blob(samples));
  })
`;

/** What the page has played so far, between -1 and 1. Audio is missing where the recorder was late, because it shares a thread with the page. */
export async function playedBy(page: Page): Promise<Float32Array> {
  const bytes = Buffer.from(await page.evaluate<string>(playedSoFar), 'base64');
  return Float32Array.from({ length: bytes.length / 2 }, (_, n) => bytes.readInt16LE(2 * n) / 32_768);
}
