import {
  bodyMayBeAbsent,
  OrganizationName,
  parseJsonStrict,
  validate,
  WorkspaceNames,
  type AnyRoute,
  type JsonObject,
  type Upload,
} from '@parley/contract';
import type { Document } from '@parley/proto/common';
import { documentOf } from '@parley/runtime';

/** A request's body: a JSON object, strictly parsed (docs/reference/requests.md). The owning service validates the fields. */
export class RequestBody {
  private constructor(
    private readonly declaration: AnyRoute,
    private readonly bytes: Buffer,
    readonly json: JsonObject,
    /** The raw bytes, for a media type that the route accepts in addition to JSON. */
    readonly upload?: AsyncIterable<Buffer>,
    /** Of the upload. */
    readonly mediaType?: Upload,
  ) {}

  /**
   * @param bytes empty: no body, which is valid only for a route without a body or with only optional fields
   * @throws AppError BadRequestError for anything but a JSON object
   */
  static parse(declaration: AnyRoute, bytes: Buffer): RequestBody {
    if (declaration.body !== undefined) {
      const given = bytes.length === 0 && bodyMayBeAbsent(declaration) ? Buffer.from('{}') : bytes;
      return new RequestBody(declaration, given, parseJsonStrict(given));
    }
    return new RequestBody(declaration, bytes, bytes.length === 0 ? {} : parseJsonStrict(bytes));
  }

  /** A body that is not buffered: its route reads it as a stream. */
  static uploaded(declaration: AnyRoute, upload: AsyncIterable<Buffer>, mediaType: Upload): RequestBody {
    return new RequestBody(declaration, Buffer.alloc(0), {}, upload, mediaType);
  }

  /** A body without its own bytes: a tool's arguments. */
  static of(declaration: AnyRoute, json: JsonObject): RequestBody {
    return new RequestBody(declaration, Buffer.from(JSON.stringify(json)), json);
  }

  /**
   * Validates a body whose route declares no class, so that no service validates it. It may repeat the workspace, which the gateway checks.
   * @throws AppError BadRequestError with every violation
   */
  validateUndeclared(): void {
    const { body, method, byId } = this.declaration;
    if (body !== undefined || this.bytes.length === 0) return;
    validate(method !== 'GET' && byId !== undefined ? WorkspaceNames : OrganizationName, this.json);
  }

  /** The text as the client sent it, for the owning service to validate. */
  document(): Document {
    return documentOf(this.declaration.body?.name ?? '', this.bytes);
  }
}
