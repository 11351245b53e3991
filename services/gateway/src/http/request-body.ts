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

/** The body of a request: a strictly parsed JSON object (docs/reference/requests.md). The service that owns the route validates the fields. */
export class RequestBody {
  private constructor(
    private readonly declaration: AnyRoute,
    private readonly bytes: Buffer,
    public json: JsonObject,
    /** The raw bytes of a media type that the route accepts besides JSON. */
    readonly upload?: AsyncIterable<Buffer>,
    /** The media type of the upload. */
    readonly mediaType?: Upload,
  ) {}

  /**
   * @param bytes empty for no body, which is valid only if the route has no body or all its fields are optional
   * @throws AppError BadRequestError if the body is not a JSON object
   */
  static parse(declaration: AnyRoute, bytes: Buffer): RequestBody {
    if (declaration.body !== undefined) {
      const given = bytes.length === 0 && bodyMayBeAbsent(declaration) ? Buffer.from('{}') : bytes;
      return new RequestBody(declaration, given, parseJsonStrict(given, declaration.body));
    }
    return new RequestBody(declaration, bytes, bytes.length === 0 ? {} : parseJsonStrict(bytes));
  }

  /** What a request has before its body is read. */
  static absent(declaration: AnyRoute): RequestBody {
    return new RequestBody(declaration, Buffer.alloc(0), {});
  }

  /** Drops what was parsed; the bytes remain. */
  forget(): void {
    this.json = {};
  }

  /** A body that is not buffered: its route reads it as a stream. */
  static uploaded(declaration: AnyRoute, upload: AsyncIterable<Buffer>, mediaType: Upload): RequestBody {
    return new RequestBody(declaration, Buffer.alloc(0), {}, upload, mediaType);
  }

  /** A body that was not received as bytes: the arguments of an MCP tool. */
  static of(declaration: AnyRoute, json: JsonObject): RequestBody {
    return new RequestBody(declaration, Buffer.from(JSON.stringify(json)), json);
  }

  /**
   * Validates the body of a route that declares no class for it, because no service validates it. The body may repeat the workspace, which the gateway checks.
   * @throws AppError BadRequestError with all violations
   */
  validateUndeclared(): void {
    const { body, method, byId } = this.declaration;
    if (body !== undefined || this.bytes.length === 0) return;
    validate(method !== 'GET' && byId !== undefined ? WorkspaceNames : OrganizationName, this.json);
  }

  /** The text as the client sent it, which the owning service validates. */
  document(): Document {
    return documentOf(this.declaration.body?.name ?? '', this.bytes);
  }
}
