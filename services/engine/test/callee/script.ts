/** The next action of the caller. */
export type Step =
  | { readonly say: string }
  /** Waits until the agent is audible after the last step. */
  | { readonly agentSpeaks: true; readonly forMs?: number }
  | { readonly agentIsSilentForMs: number }
  | { readonly press: string };

export interface CalleeScript {
  readonly url: string;
  readonly folder: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly script: readonly Step[];
}

export interface CalleeReport {
  /** One for each step: when it began and ended, in ms since the stream began. */
  readonly steps: readonly { readonly from: number; readonly to: number }[];
  readonly clears: number;
  readonly marks: number;
  readonly leadMs: readonly number[];
  readonly gapMs: readonly number[];
}
