import type { AuthServiceServer } from '@parley/proto/auth';
import { serviceCaller, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from './single-flight';

const capacity = 10_000;

/** Looks up the organization that owns a project. A project never changes its owner, so results are cached. */
export class ProjectOwners {
  private readonly owners = new LRUCache<string, string>({ max: capacity });
  private readonly flights = new SingleFlight<string>();

  constructor(private readonly auth: GrpcClient<AuthServiceServer>) {}

  /** @throws AppError NotFoundError if there is no such project */
  async findOwner(projectId: string, { requestId, traceparent }: OutgoingContext): Promise<string> {
    const known = this.owners.get(projectId);
    if (known !== undefined) return known;
    return this.flights.run(projectId, async () => {
      const context = { requestId, traceparent, caller: serviceCaller };
      const { organizationId } = await this.auth.resolveProject({ projectId }, context);
      this.owners.set(projectId, organizationId);
      return organizationId;
    });
  }
}
