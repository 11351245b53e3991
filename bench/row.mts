/** The export `bench` of each file in `bench/rows`: one topic, measured on a platform or servers of its own. */
export interface BenchRow {
  /** The name for `--only`: the name of the file. */
  readonly title: string;
  run(options: BenchOptions): Promise<Table[]>;
}

export interface BenchOptions {
  /** The number of interleaved pairs of floor and platform. */
  readonly pairs: number;
  /** The duration of one side of a pair in seconds. */
  readonly seconds: number;
}

export interface Table {
  readonly title: string;
  readonly rows: readonly object[];
}
