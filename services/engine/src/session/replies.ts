import type { CallEffect } from '../core/effects';
import type { ModelInput } from '../core/inputs';

export type StartModel = Extract<CallEffect, { type: 'start_model' }>;

/** The source of replies: a language model, a published workflow or a customer's server. */
export interface Replies {
  /** Starts an attempt. Its events are passed to `onInput`, but never before this method has returned. */
  start(attempt: StartModel): void;
  cancel(attempt: number): void;
  /** The call is over. */
  end(): void;
}

export type OnModelInput = (input: ModelInput) => void;
