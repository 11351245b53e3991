/**
 * The export `scenario` of each file in this folder except this one and run.mts: failures that are caused on purpose, and the guarantees that must hold
 * nevertheless.
 */
export interface Scenario {
  /** One sentence: what fails, and what runs meanwhile. */
  readonly title: string;
  run(options: ScenarioOptions): Promise<ScenarioReport>;
}

export interface ScenarioOptions {
  /** 1 for the complete scenario; less for a quick test. */
  readonly scale: number;
  /** If there are several failures: only those whose names contain this text; empty: all. */
  readonly only: string;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

export interface ScenarioReport {
  readonly tables: readonly { readonly title: string; readonly rows: readonly object[] }[];
  /** Violated guarantees; empty if the scenario has passed. */
  readonly broken: readonly string[];
}

/**
 * Settings for scenarios that kill engines every few seconds. The calls of killed engines end when their leases expire. By default a tenth of all leases may be
 * reaped per minute, and such a scenario would spend most of its time waiting.
 */
export const killedAtWill = { LEASES_REAPED_AT_LEAST: '100' } as const;
