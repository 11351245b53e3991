export const deliveryStatuses = ['pending', 'delivered', 'failed', 'parked', 'canceled'] as const;

export interface DeliverySearch {
  readonly status?: (typeof deliveryStatuses)[number];
}

/** Filters of another page, and misspelled ones, are dropped. */
export function deliverySearch({ status }: Record<string, unknown>): DeliverySearch {
  const known = deliveryStatuses.find((one) => one === status);
  return known === undefined ? {} : { status: known };
}
