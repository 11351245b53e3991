export const deliveryStatuses = ['pending', 'delivered', 'failed', 'parked', 'canceled'] as const;

export interface DeliverySearch {
  readonly status?: (typeof deliveryStatuses)[number];
}

/** A filter of another page, or one that was mistyped, is left out. */
export function deliverySearch({ status }: Record<string, unknown>): DeliverySearch {
  const known = deliveryStatuses.find((one) => one === status);
  return known === undefined ? {} : { status: known };
}
