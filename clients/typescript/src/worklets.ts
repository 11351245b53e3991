/** The audio worklets of browser.ts, in a separate module that is loaded by its address. Both run in an audio context with 16,000 samples a second. */

// Part of the global scope of worklets, which the DOM types do not declare.
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Posts the microphone's audio in chunks of 20 ms: `{ samples: Int16Array, peak: 0 to 1 }`. */
class Microphone extends AudioWorkletProcessor {
  #samples = new Int16Array(320);
  #filled = 0;
  #peak = 0;

  process([input]: Float32Array[][]): boolean {
    for (const value of input?.[0] ?? []) {
      const limited = Math.max(-1, Math.min(1, value));
      this.#peak = Math.max(this.#peak, Math.abs(limited));
      this.#samples[this.#filled++] = Math.round(limited * 32_767);
      if (this.#filled === this.#samples.length) this.#post();
    }
    return true;
  }

  #post(): void {
    const samples = this.#samples;
    this.port.postMessage({ samples, peak: this.#peak }, [samples.buffer]);
    this.#samples = new Int16Array(320);
    this.#filled = 0;
    this.#peak = 0;
  }
}

type Queued = { readonly samples: Int16Array } | { readonly mark: number };

/** Plays `{ samples }` in order. Posts `{ mark }` back when everything before it was played, or was dropped by `{ clear: true }`. */
class Player extends AudioWorkletProcessor {
  #queue: Queued[] = [];
  #at = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Queued | { readonly clear: true }>) => {
      if ('clear' in data) this.#clear();
      else this.#queue.push(data);
    };
  }

  process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const channel = output?.[0];
    if (channel) for (let n = 0; n < channel.length; n += 1) channel[n] = this.#next();
    this.#passMarks();
    return true;
  }

  #clear(): void {
    const dropped = this.#queue;
    this.#queue = [];
    this.#at = 0;
    for (const one of dropped) if ('mark' in one) this.port.postMessage(one);
  }

  #next(): number {
    this.#passMarks();
    const [first] = this.#queue;
    if (first === undefined || 'mark' in first) return 0;
    const sample = (first.samples[this.#at++] ?? 0) / 32_768;
    if (this.#at >= first.samples.length) {
      this.#queue.shift();
      this.#at = 0;
    }
    return sample;
  }

  #passMarks(): void {
    for (let [first] = this.#queue; first !== undefined && 'mark' in first; [first] = this.#queue) {
      this.port.postMessage(first);
      this.#queue.shift();
    }
  }
}

registerProcessor('parley-microphone', Microphone);
registerProcessor('parley-player', Player);
