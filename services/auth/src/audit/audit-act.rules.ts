/** An act of the audit log: who did what to which thing. `detail` never holds a secret. */
export interface AuditRecord {
  readonly auditId: string;
  readonly organizationId: string;
  /** Empty when a command acted. */
  readonly actorKeyId: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of the client that asked for it; empty where it is not known, as is `userAgent`. */
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: string;
}
