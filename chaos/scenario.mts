/** The export `scenario` of each file of `chaos` except this one and run.mts: deliberate failures, and the guarantees that must hold. */
export interface Scenario {
  /** One sentence: what fails during what. */
  readonly title: string;
  run(options: ScenarioOptions): Promise<ScenarioReport>;
}

export interface ScenarioOptions {
  /** The scale, 1 being the whole scenario; less for a try. */
  readonly scale: number;
  /** If there are several failures, those whose names contain this; empty: all. */
  readonly only: string;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

export interface ScenarioReport {
  readonly tables: readonly { readonly title: string; readonly rows: readonly object[] }[];
  /** Violated guarantees; empty is a pass. */
  readonly broken: readonly string[];
}

/**
 * For scenarios that kill engines every few seconds: the calls of dead engines end as their leases expire. By default they end a tenth a minute, for which
 * such a scenario would wait most of its time.
 */
export const killedAtWill = { LEASES_REAPED_AT_LEAST: '100' } as const;
