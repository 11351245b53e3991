/** A page for test calls with the built SDK, and a browser that opens it with a file as its microphone. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { TestCallAddress } from '../../clients/typescript/dist/test-call.js';
import { findBrowser } from '../browser/find-browser.mts';
import { openBrowser } from '../browser/open-browser.mts';
import { root } from '../platform/options.mts';

export interface CallPage {
  readonly origin: string;
  close(): void;
}

/** A page as a customer would write it: a button, and the SDK. Turns and the audio sent to the loudspeaker are kept for the test. */
const page =
  '<!doctype html><html lang="en"><title>Call</title><button>Call</button><script type="module" src="/page.js"></script></html>';
const program = `import { startBrowserCall } from '/sdk/browser';
const turns = [];
window.call = { turns, level: 0 };
document.querySelector('button').addEventListener('click', async () => {
  const session = await startBrowserCall(async () => window.address, {
    // The file is the caller's voice as it is: what browsers do against echo takes words away until it has settled.
    microphone: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    onLevel: (peak) => (window.call.level = Math.max(window.call.level, peak)),
    onMessage: (message) => message.type === 'transcript' && message.final && turns.push(message),
  });
  window.call.hangUp = () => session.hangUp();
  window.call.closed = session.closed.then((closed) => (window.call.over = closed));
});
`;

const recordPlayback = `
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
`;

export async function callPage(): Promise<CallPage> {
  const sdk = path.join(root, 'clients/typescript');
  const { exports } = JSON.parse(readFileSync(path.join(sdk, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string }>;
  };
  // The page imports an entry point of the package, which imports and loads the files next to it.
  const fileOf = (name: string): string => path.join(sdk, exports[`./${name}`]?.default ?? `dist/${name}`);
  // A strict policy. Worklets are scripts of the page's own origin.
  const policy = "default-src 'none'; script-src 'self'; connect-src ws:";
  const server = createServer((request, response) => {
    const name = /^\/sdk\/([\w-]+(?:\.js)?)$/.exec(request.url ?? '')?.[1];
    if (name === undefined && request.url !== '/page.js')
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page);
    else
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(name === undefined ? program : readFileSync(fileOf(name)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

export interface Turn {
  readonly speaker: 'caller' | 'agent';
  readonly text: string;
}

export interface BrowserConversation {
  readonly turns: readonly Turn[];
  /** What the page has played, as 16-bit samples. */
  readonly played: Buffer;
  /** The peak level of the microphone, 0 to 1. */
  readonly level: number;
  readonly endedReason: string | undefined;
  readonly problems: readonly string[];
}

interface CallOptions {
  readonly page: CallPage;
  readonly address: TestCallAddress;
  /** A RIFF WAVE. */
  readonly microphone: string;
  /** An empty folder. */
  readonly profile: string;
  /** Hangs up when this returns true for the complete turns and the agent has finished speaking. */
  readonly until: (turns: readonly Turn[]) => boolean;
}

/** Makes a test call in a headless browser. */
export async function callInBrowser({
  page: { origin },
  address,
  microphone,
  profile,
  until,
}: CallOptions): Promise<BrowserConversation> {
  const browser = await openBrowser(findBrowser() ?? '', profile, [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}`,
    '--autoplay-policy=no-user-gesture-required',
  ]);
  try {
    const { page: tab } = browser;
    await tab.addInitScript({ content: `${recordPlayback}\nwindow.address = ${JSON.stringify(address)};` });
    await tab.goto(origin);
    await tab.getByRole('button', { name: 'Call' }).click();
    const turnsNow = (): Promise<Turn[]> => tab.evaluate<Turn[]>('window.call.turns');
    for (const end = Date.now() + 150_000; !until(await turnsNow()); await tab.waitForTimeout(200))
      if (Date.now() > end)
        throw new Error(`the conversation did not come so far: ${JSON.stringify([await turnsNow(), browser.errors])}`);
    // A turn is shown when its playback begins, so this waits for a second of silence.
    await silence(tab);
    await tab.evaluate('window.call.hangUp()');
    const { ended } = await tab.evaluate<{ ended?: { ended_reason: string } }>(
      'window.call.closed.then(() => window.call.over)',
    );
    return {
      turns: await turnsNow(),
      played: Buffer.from(await tab.evaluate<string>(playedSoFar), 'base64'),
      level: await tab.evaluate<number>('window.call.level'),
      endedReason: ended?.ended_reason,
      problems: [...browser.errors, ...browser.violations],
    };
  } finally {
    await browser.close();
  }
}

/** Runs in the page: whether the last second of playback is silent. */
const isSilent = `(() => {
  const last = window.played.slice(-2);
  return last.length === 2 && last.every((piece) => piece.every((sample) => Math.abs(sample) < 0.001));
})()`;

async function silence(tab: Page): Promise<void> {
  // Playwright's own wait evaluates text in the page, which the page's policy blocks.
  for (const end = Date.now() + 60_000; !(await tab.evaluate<boolean>(isSilent)); await tab.waitForTimeout(200))
    if (Date.now() > end) throw new Error('the agent is not silent');
}

/** Runs in the page: what was played, as 16 bits in base64. */
const playedSoFar = `
  new Promise((resolve) => {
    const samples = window.played.map((piece) => Int16Array.from(piece, (sample) => sample * 32767));
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(',')[1] ?? '');
    reader.readAsDataURL(new Blob(samples));
  })
`;
