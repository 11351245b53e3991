/** What each file of `drills` but this one and run.mts exports as `drill`: a fault, tried long and hard, with a table of what it did. */
export interface Drill {
  /** One sentence: what is broken while what goes on. */
  readonly title: string;
  run(options: DrillOptions): Promise<DrillReport>;
}

export interface DrillOptions {
  /** How much of everything, 1 being the whole drill; tests and impatient people take less. */
  readonly scale: number;
  /** Of several faults those whose names hold this; empty: all. */
  readonly only: string;
  /** Says what is going on. */
  readonly say: (line: string) => void;
}

export interface DrillReport {
  readonly tables: readonly { readonly title: string; readonly rows: readonly object[] }[];
  /** Promises that were broken; empty is a pass. */
  readonly broken: readonly string[];
}
