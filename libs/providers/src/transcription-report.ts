import type { ProviderError } from './provider-error';
import type { TranscriptionEvent } from './transcriber';

/** Reports the events of one stream. It ensures that an error is the last event, and that nothing is reported after the end. */
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
