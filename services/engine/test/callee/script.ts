/** What the person does next. */
export type Step =
  | { readonly say: string }
  /** The agent's voice is heard, after the last word said. */
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
