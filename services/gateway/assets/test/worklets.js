/* global AudioWorkletProcessor, registerProcessor */
// Both run in a context of 16,000 samples a second.

/** Posts the microphone as messages of 20 ms: `{samples: Int16Array, peak: 0 to 1}`. */
class Microphone extends AudioWorkletProcessor {
  samples = new Int16Array(320);
  filled = 0;
  peak = 0;

  process([[channel]]) {
    for (const value of channel ?? []) {
      const limited = Math.max(-1, Math.min(1, value));
      this.peak = Math.max(this.peak, Math.abs(limited));
      this.samples[this.filled++] = Math.round(limited * 32_767);
      if (this.filled === this.samples.length) this.post();
    }
    return true;
  }

  post() {
    const { samples, peak } = this;
    this.port.postMessage({ samples, peak }, [samples.buffer]);
    this.samples = new Int16Array(320);
    this.filled = 0;
    this.peak = 0;
  }
}

/** Plays what is posted as `{samples: Int16Array}`, in order; posts `{mark}` back once everything before it has played or was cleared. */
class Player extends AudioWorkletProcessor {
  queue = [];
  at = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data.clear) this.clear();
      else this.queue.push(data);
    };
  }

  clear() {
    const dropped = this.queue;
    this.queue = [];
    this.at = 0;
    for (const { mark } of dropped) if (mark !== undefined) this.port.postMessage({ mark });
  }

  process(_inputs, [[channel]]) {
    for (let n = 0; n < channel.length; n += 1) channel[n] = this.next();
    this.passMarks();
    return true;
  }

  next() {
    this.passMarks();
    const [first] = this.queue;
    if (first === undefined) return 0;
    const sample = first.samples[this.at++] / 32_768;
    if (this.at >= first.samples.length) {
      this.queue.shift();
      this.at = 0;
    }
    return sample;
  }

  passMarks() {
    while (this.queue[0]?.mark !== undefined) this.port.postMessage({ mark: this.queue.shift().mark });
  }
}

registerProcessor('microphone', Microphone);
registerProcessor('player', Player);
