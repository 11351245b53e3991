/** The export `bench` of each file of `bench/rows`: one topic, measured on its own platform or servers. */
export interface BenchRow {
  /** The name for `--only`: the file's name. */
  readonly title: string;
  run(options: BenchOptions): Promise<Table[]>;
}

export interface BenchOptions {
  /** Interleaved pairs of floor and platform. */
  readonly pairs: number;
  /** Seconds of one side of a pair. */
  readonly seconds: number;
}

export interface Table {
  readonly title: string;
  readonly rows: readonly object[];
}
