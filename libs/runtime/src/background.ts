/**
 * Something that runs next to the requests of a service: a consumer, a relay, a timer.
 * Started in order of declaration, stopped in the opposite order. `stop` resolves when nothing of it runs any more.
 */
export interface Background {
  readonly name: string;
  start(): Promise<void> | void;
  stop(): Promise<void>;
}
