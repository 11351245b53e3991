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

/** A request's body: a JSON object, strictly parsed (docs/reference/requests.md). Its owner validates the fields. */
export class RequestBody {
  private constructor(
    private readonly declaration: AnyRoute,
    private readonly bytes: Buffer,
    readonly json: JsonObject,
    /** The bytes as they come, where the client sent what the route takes next to JSON. */
    readonly upload?: AsyncIterable<Buffer>,
    /** Of the upload. */
    readonly mediaType?: Upload,
  ) {}

  /**
   * @param bytes none at all is no body, which only a route accepts that takes none or of which every field may be left out
   * @throws AppError BadRequestError for anything but a JSON object
   */
  static parse(declaration: AnyRoute, bytes: Buffer): RequestBody {
    if (declaration.body !== undefined) {
      const given = bytes.length === 0 && bodyMayBeAbsent(declaration) ? Buffer.from('{}') : bytes;
      return new RequestBody(declaration, given, parseJsonStrict(given));
    }
    return new RequestBody(declaration, bytes, bytes.length === 0 ? {} : parseJsonStrict(bytes));
  }

  /** A body that is not held as a whole: its route reads it as it comes. */
  static uploaded(declaration: AnyRoute, upload: AsyncIterable<Buffer>, mediaType: Upload): RequestBody {
    return new RequestBody(declaration, Buffer.alloc(0), {}, upload, mediaType);
  }

  /** A body that did not come as bytes of its own: a tool's arguments. */
  static of(declaration: AnyRoute, json: JsonObject): RequestBody {
    return new RequestBody(declaration, Buffer.from(JSON.stringify(json)), json);
  }

  /**
   * Validates a body whose route declares no class for it, so that no owner does. It may repeat the workspace, which the edge compares.
   * @throws AppError BadRequestError with every broken rule
   */
  validateUndeclared(): void {
    const { body, method, byId } = this.declaration;
    if (body !== undefined || this.bytes.length === 0) return;
    validate(method !== 'GET' && byId !== undefined ? WorkspaceNames : OrganizationName, this.json);
  }

  /** The text as the client sent it, for its owner to check. */
  document(): Document {
    return documentOf(this.declaration.body?.name ?? '', this.bytes);
  }
}
