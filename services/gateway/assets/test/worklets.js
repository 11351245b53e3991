/* global AudioWorkletProcessor, registerProcessor */
// The SDK has a copy, which npm run build writes. Both run in a context of 16,000 samples a second, which calls `process` for every 128 samples.

/** Posts the microphone as messages of 20 ms: `{samples: Int16Array, peak: 0 to 1}`. */
class Microphone extends AudioWorkletProcessor {
  heard = [];

  process([[channel]]) {
    this.heard.push(...(channel ?? []));
    if (this.heard.length >= 320) {
      const limited = this.heard.splice(0, 320).map((value) => Math.max(-1, Math.min(1, value)));
      const samples = Int16Array.from(limited, (value) => Math.round(value * 32_767));
      this.port.postMessage({ samples, peak: Math.max(...limited.map(Math.abs)) }, [samples.buffer]);
    }
    return true;
  }
}

/** Plays what is posted as `{samples: Int16Array}`, in order; posts `{mark}` back when everything before it was played, or was dropped by `{clear: true}`. */
class Player extends AudioWorkletProcessor {
  queue = [];

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data.clear) this.queue = this.queue.filter(({ mark }) => mark !== undefined);
      else this.queue.push(data);
    };
  }

  process(_inputs, [[channel]]) {
    for (let filled = 0; this.queue.length > 0; this.queue.shift()) {
      const [first] = this.queue;
      if (first.mark !== undefined) this.port.postMessage(first);
      else {
        const part = first.samples.subarray(0, channel.length - filled);
        part.forEach((sample, n) => (channel[filled + n] = sample / 32_768));
        filled += part.length;
        first.samples = first.samples.subarray(part.length);
        if (first.samples.length > 0) break;
      }
    }
    return true;
  }
}

registerProcessor('parley-microphone', Microphone);
registerProcessor('parley-player', Player);
