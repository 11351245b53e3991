import https from 'node:https';
import type { SynthesisStream } from './synthesis-stream.mts';

export interface ModelAddress {
  readonly url: string;
  readonly agent: https.Agent;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

interface Delta {
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[];
}

/**
 * One attempt at a reply: a streamed request to the model. The text is divided into sentences, and each is synthesized as soon as it is complete. Audio is
 * passed on in the order of the sentences. A stream that ends without a finish reason is an incomplete reply.
 */
export class ReplyAttempt {
  text = '';
  private readonly synthesis: SynthesisStream;
  private readonly onAudio: (samples: Int16Array) => void;
  private readonly request: ReturnType<typeof https.request>;
  private readonly sentences: { audio: Int16Array[]; done: boolean }[] = [];
  private readonly cancels: (() => void)[] = [];
  private unread = '';
  private sentence = '';
  private cancelled = false;
  private whole = false;

  constructor(
    model: ModelAddress,
    synthesis: SynthesisStream,
    messages: readonly ChatMessage[],
    onAudio: (samples: Int16Array) => void,
  ) {
    this.synthesis = synthesis;
    this.onAudio = onAudio;
    const body = JSON.stringify({ model: 'fake-model', stream: true, messages });
    this.request = https.request(
      model.url,
      { method: 'POST', agent: model.agent, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => this.read(text));
      },
    );
    this.request.on('error', (error) => {
      if (!this.cancelled) console.error('a model is gone:', error.message);
    });
    this.request.end(body);
  }

  /** Whether the model has finished and all audio was passed on. */
  get finished(): boolean {
    return this.whole && this.sentences.every(({ done }) => done);
  }

  cancel(): void {
    this.cancelled = true;
    this.request.destroy();
    for (const cancel of this.cancels) cancel();
  }

  private read(text: string): void {
    this.unread += text;
    const lines = this.unread.split('\n');
    this.unread = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const [choice] = (JSON.parse(line.slice('data: '.length)) as Delta).choices;
      if (choice?.delta.content !== undefined) this.take(choice.delta.content);
      if (choice === undefined || choice.finish_reason === null) continue;
      if (this.sentence !== '') this.speak();
      this.whole = true;
    }
  }

  private take(delta: string): void {
    this.text += delta;
    this.sentence += delta;
    if (/[.!?]$/.test(delta)) this.speak();
  }

  private speak(): void {
    const place = this.sentences.length;
    const sentence = { audio: [] as Int16Array[], done: false };
    this.sentences.push(sentence);
    const cancel = this.synthesis.speak(this.sentence.trim(), {
      audio: (samples) => {
        if (this.sentences.slice(0, place).every(({ done }) => done)) this.onAudio(samples);
        else sentence.audio.push(samples);
      },
      done: () => {
        sentence.done = true;
        this.handOn(place + 1);
      },
    });
    this.cancels.push(cancel);
    this.sentence = '';
  }

  /** Passes on audio of the next sentence that arrived before the current one was complete. */
  private handOn(place: number): void {
    const next = this.sentences[place];
    if (next === undefined || !this.sentences.slice(0, place).every(({ done }) => done)) return;
    for (const samples of next.audio.splice(0)) this.onAudio(samples);
    if (next.done) this.handOn(place + 1);
  }
}
