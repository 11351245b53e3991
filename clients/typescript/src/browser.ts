/** Test calls in a page: connectTestCall with the microphone and the loudspeaker of the browser. */
import { connectTestCall, type TestCallAddress, type TestCallHandlers } from './test-call.js';

export interface BrowserCallOptions extends Pick<TestCallHandlers, 'onMessage'> {
  /** Receives the level of the microphone, 0 to 1, every 20 ms. */
  readonly onLevel?: (peak: number) => void;
  /** False: without a microphone; the person types. */
  readonly microphone?: boolean | MediaTrackConstraints;
  /** The address of the module `@parley/sdk/worklets`. Default: next to this module, which works with bundlers that support `new URL(…, import.meta.url)`. */
  readonly workletsUrl?: string | URL;
}

export type BrowserCall = Awaited<ReturnType<typeof startBrowserCall>>;

const natural = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/**
 * Requests the microphone, then the call, whose token is valid for a minute, and connects both. Call it from a click handler, because browsers play no audio
 * without a user action. A page must not contain a key of the platform: `create` sends a request to your server, which calls `agents.createTestCall`.
 * @throws the error of getUserMedia if the person does not allow the microphone
 */
export async function startBrowserCall(create: () => Promise<TestCallAddress>, options: BrowserCallOptions = {}) {
  const { onMessage, onLevel, microphone = true, workletsUrl = new URL('./worklets.js', import.meta.url) } = options;
  const audio = microphone === true ? natural : microphone;
  const stream = audio === false ? undefined : await navigator.mediaDevices.getUserMedia({ audio });
  const context = new AudioContext({ sampleRate: 16_000 });
  const close = (): void => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    context.close().catch(() => undefined);
  };
  try {
    await context.audioWorklet.addModule(workletsUrl);
    await context.resume();
    const player = new AudioWorkletNode(context, 'parley-player', { numberOfInputs: 0, outputChannelCount: [1] });
    player.connect(context.destination);
    // The player returns the marks in the order in which it got them.
    const marks: (() => void)[] = [];
    player.port.onmessage = () => marks.shift()?.();
    const session = connectTestCall(await create(), {
      onMessage,
      onSound: (samples) => player.port.postMessage({ samples }, [samples.buffer]),
      onClear: () => player.port.postMessage({ clear: true }),
      played: () => {
        player.port.postMessage({ mark: true });
        return new Promise((resolve) => marks.push(resolve));
      },
    });
    let muted = false;
    if (stream) {
      const input = new AudioWorkletNode(context, 'parley-microphone', { numberOfOutputs: 0, channelCount: 1 });
      input.port.onmessage = ({ data }: MessageEvent<{ samples: Int16Array; peak: number }>) => {
        onLevel?.(muted ? 0 : data.peak);
        if (!muted) session.sendSound(data.samples);
      };
      context.createMediaStreamSource(stream).connect(input);
    }
    session.closed.then(close, close);
    /** Stops or resumes sending the audio of the microphone. */
    const setMuted = (isMuted: boolean): void => void (muted = isMuted);
    return { ...session, setMuted };
  } catch (error) {
    close();
    throw error;
  }
}
