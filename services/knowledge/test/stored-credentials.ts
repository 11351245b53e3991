import { newId, type GrpcClient } from '@parley/runtime';
import type { AuthServiceServer } from '@parley/proto/auth';

interface Stored {
  readonly organizationId: string;
  readonly kind: string;
  readonly provider: string;
  readonly baseUrl: string;
  secret: string;
}

/** Stands in for auth: the credentials of organizations, which tests replace and delete. */
export class StoredCredentials {
  private readonly stored = new Map<string, Stored>();
  /** The purposes for which credentials were opened, as the audit log has them. */
  readonly opened: string[] = [];

  add(organizationId: string, baseUrl: string, change: Partial<Stored> = {}): string {
    const id = newId('cred');
    this.stored.set(id, {
      organizationId,
      kind: 'llm',
      provider: 'openai_compatible',
      baseUrl,
      secret: 'sk-1',
      ...change,
    });
    return id;
  }

  replaceSecret(id: string, secret: string): void {
    const found = this.stored.get(id);
    if (found !== undefined) found.secret = secret;
  }

  delete(id: string): void {
    this.stored.delete(id);
  }

  readonly rpcs: Pick<GrpcClient<AuthServiceServer>, 'findComponentCredentials' | 'openComponentCredential'> = {
    findComponentCredentials: async ({ organizationId, componentCredentialIds }) => ({
      componentCredentials: componentCredentialIds.flatMap((componentCredentialId) => {
        const found = this.stored.get(componentCredentialId);
        if (found?.organizationId !== organizationId) return [];
        const { kind, provider } = found;
        const rest = { name: 'embeddings', createdBy: '', createdAt: '', tested: 'never', ownAddress: false };
        return [{ componentCredentialId, organizationId, kind, provider, ...rest }];
      }),
      standby: [],
    }),
    openComponentCredential: async ({ organizationId, kind, provider, componentCredentialId, purpose }) => {
      const found = this.stored.get(componentCredentialId);
      if (found?.organizationId !== organizationId || found.kind !== kind || found.provider !== provider)
        return { componentCredential: undefined };
      this.opened.push(purpose);
      const { secret, baseUrl } = found;
      return { componentCredential: { componentCredentialId, kind, provider, secret, baseUrl } };
    },
  };
}
