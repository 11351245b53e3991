/** Concurrent requests for one key share one result; nothing is cached afterwards. */
export class SingleFlight<V> {
  private readonly flights = new Map<string, Promise<V>>();

  run(key: string, work: () => Promise<V>): Promise<V> {
    const underWay = this.flights.get(key);
    if (underWay !== undefined) return underWay;
    const flight = work().finally(() => this.flights.delete(key));
    this.flights.set(key, flight);
    return flight;
  }
}
