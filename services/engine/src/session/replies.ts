import type { CallEffect } from '../core/effects';
import type { ModelInput } from '../core/inputs';

export type StartModel = Extract<CallEffect, { type: 'start_model' }>;

/** The source of replies: a language model, or a published workflow. */
export interface Replies {
  /** Events of the attempt are passed to `onInput`, never before this returns. */
  start(attempt: StartModel): void;
  cancel(attempt: number): void;
  /** The call is over. */
  end(): void;
}

export type OnModelInput = (input: ModelInput) => void;
