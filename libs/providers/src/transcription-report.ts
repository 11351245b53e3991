import type { ProviderError } from './provider-error';
import type { TranscriptionEvent } from './transcriber';

/** What one stream reports: nothing after its end, and an error last. */
export class TranscriptionReport {
  private over = false;

  constructor(private readonly onEvent: (event: TranscriptionEvent) => void) {}

  event(event: TranscriptionEvent): void {
    if (this.over) return;
    this.over = event.type === 'failed';
    this.onEvent(event);
  }

  failed(error: ProviderError): void {
    this.event({ type: 'failed', error });
  }

  close(): void {
    this.over = true;
  }

  get isOver(): boolean {
    return this.over;
  }
}
