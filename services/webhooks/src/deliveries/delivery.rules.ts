/** A delivery as stored. */
export interface Delivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

export interface Attempt {
  readonly number: number;
  readonly started_at: Date;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly latency_ms: number;
  /** The reason of a failure, such as timeout, refused_address, connection_failed or redirect; null on success. */
  readonly error: string | null;
  /** The first 4 KiB of the response, as text. */
  readonly response_body: string;
}

export interface AttemptOfEndpoint extends Attempt {
  readonly delivery_id: string;
  readonly event_type: string;
}

export interface DeliveryWithAttempts {
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
}
