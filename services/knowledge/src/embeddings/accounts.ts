import { randomUUID } from 'node:crypto';
import { compatibleProvider } from '@parley/contract';
import type { AuthServiceServer } from '@parley/proto/auth';
import { serviceCaller, type GrpcClient } from '@parley/runtime';
import { EmbeddingFailed } from './embedding-failed';
import type { EmbeddingAccount } from './request-vectors';

/** The kind of credentials that give access to embeddings, and their providers with the public address. */
export const credentialKind = 'llm';
export const publicAddresses: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  // Its credentials have an address.
  [compatibleProvider]: '',
};

export interface NamedAccount {
  readonly organizationId: string;
  readonly provider: string;
  readonly credentialId: string;
}

type Auth = Pick<GrpcClient<AuthServiceServer>, 'openComponentCredential' | 'findComponentCredentials'>;

/** How long an opened credential is used before it is opened again: so long a deleted one still works at most. */
const keptMs = 60_000;
const mostKept = 1_000;

/** Credentials of organizations. Opening one is an act of the audit log, so each is kept for a minute, in memory alone. */
export class EmbeddingAccounts {
  private readonly kept = new Map<string, { readonly account: EmbeddingAccount; readonly until: number }>();

  constructor(
    private readonly auth: Auth,
    private readonly monotonicMs: () => number,
  ) {}

  /** The provider of a credential that can be used for embeddings; undefined: there is none. */
  async findProvider(organizationId: string, credentialId: string): Promise<string | undefined> {
    const request = { organizationId, componentCredentialIds: [credentialId], standby: false };
    const { componentCredentials: found } = await this.auth.findComponentCredentials(request, context());
    return found.find(({ kind, provider }) => kind === credentialKind && provider in publicAddresses)?.provider;
  }

  /** @throws EmbeddingFailed if the credential was deleted or cannot be opened now */
  async open(named: NamedAccount): Promise<EmbeddingAccount> {
    const kept = this.kept.get(keyOf(named));
    if (kept !== undefined && kept.until > this.monotonicMs()) return kept.account;
    const { organizationId, provider, credentialId: componentCredentialId } = named;
    const request = { organizationId, kind: credentialKind, provider, componentCredentialId, purpose: 'embeddings' };
    const { componentCredential: opened } = await this.auth
      .openComponentCredential(request, context())
      .catch((): never => {
        throw new EmbeddingFailed('unreachable', 'the credential could not be opened now');
      });
    if (opened === undefined) throw new EmbeddingFailed('credential_missing', 'the credential was deleted');
    const baseUrl = (opened.baseUrl || publicAddresses[provider] || '').replace(/\/+$/, '');
    const account = { baseUrl, secret: opened.secret };
    if (this.kept.size >= mostKept) this.kept.clear();
    this.kept.set(keyOf(named), { account, until: this.monotonicMs() + keptMs });
    return account;
  }

  /** Opens it again, because a server refuses what was kept. @returns undefined if it is still the same */
  async reopen(named: NamedAccount, refused: EmbeddingAccount): Promise<EmbeddingAccount | undefined> {
    this.kept.delete(keyOf(named));
    const account = await this.open(named);
    return account.secret === refused.secret && account.baseUrl === refused.baseUrl ? undefined : account;
  }
}

const keyOf = ({ organizationId, provider, credentialId }: NamedAccount): string =>
  `${organizationId} ${provider} ${credentialId}`;

const context = () => ({ caller: serviceCaller, requestId: randomUUID() });
