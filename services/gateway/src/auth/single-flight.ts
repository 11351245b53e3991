/** Lets concurrent askers of one key share one answer; nothing is kept once it has come. */
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
